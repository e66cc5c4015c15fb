import { type BannedWord, bannedWords } from './banned-words.ts'

export interface Finding {
  readonly line: number
  readonly word: string
  readonly use: string
  readonly text: string
}

const single = new Map<string, BannedWord>()
const phrases: { readonly phrase: RegExp; readonly word: string; readonly banned: BannedWord }[] = []
for (const banned of bannedWords) {
  for (const word of banned.words) {
    if (word.includes(' '))
      phrases.push({ phrase: new RegExp(`\\b${word.replace(' ', '\\s+')}\\b`, 'i'), word, banned })
    else single.set(word, banned)
  }
}

/** The banned words of a text, in prose and inside of identifiers, line by line. */
export function findBannedWords(text: string): Finding[] {
  return text.split('\n').flatMap((raw, index) => {
    const found = new Map<string, BannedWord>()
    for (const word of wordsOf(raw)) {
      const banned = single.get(word)
      if (banned !== undefined) found.set(word, banned)
    }
    for (const { phrase, word, banned } of phrases) if (phrase.test(raw)) found.set(word, banned)
    return [...found]
      .filter(([word, banned]) => banned.except === undefined || isLeft(raw, word, banned.except))
      .map(([word, { use }]) => ({ line: index + 1, word, use, text: raw.trim() }))
  })
}

/** Whether the word is still there once the text in which it is usual is taken out. */
function isLeft(raw: string, word: string, except: RegExp): boolean {
  const rest = raw.replaceAll(new RegExp(except.source, 'gi'), ' ')
  return word.includes(' ') ? rest.toLowerCase().includes(word) : wordsOf(rest).includes(word)
}

/** `lastHeardMs` is last, heard, ms. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}
