import { languages, makeVocabulary } from '../catalog/generate/vocabulary.ts'

/** Makes titles and descriptions of random words, in a random language. */
export function createProgramTexts(): (random: () => number, characters: number) => string {
  const vocabulary = makeVocabulary()
  return (random, characters) => {
    const words = vocabulary.spelled[languages[Math.floor(random() * languages.length)]!]
    let text = ''
    while (text.length < characters) text += `${text === '' ? '' : ' '}${words[vocabulary.pick(random)]!}`
    return text.slice(0, characters).trimEnd()
  }
}
