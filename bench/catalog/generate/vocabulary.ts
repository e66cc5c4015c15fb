import { seededRandom } from '@continuity/dev/seeded-random'

/** As many as a large multilingual catalog has, without names that occur in one video only. */
const WORDS = 60_000

const SEED = 20_260_301

/** Each language accents its own letters, which a search must ignore. */
const accents = {
  en: {},
  de: { u: 'ü', o: 'ö', a: 'ä' },
  fr: { e: 'é', a: 'à', c: 'ç' },
  es: { o: 'ó', n: 'ñ', i: 'í' },
  pt: { a: 'ã', e: 'ê', c: 'ç' },
  pl: { l: 'ł', z: 'ż', s: 'ś' },
  cs: { r: 'ř', e: 'ě', z: 'ž' },
  tr: { s: 'ş', g: 'ğ', u: 'ü' },
} as const satisfies Record<string, Readonly<Record<string, string>>>

export type Language = keyof typeof accents
export const languages = Object.keys(accents) as Language[]

export interface Vocabulary {
  /** By rank, the most common first, without accents. */
  readonly words: readonly string[]
  /** The same with the accents of each language. */
  readonly spelled: Readonly<Record<Language, readonly string[]>>
  /** Draws the rank of a word by Zipf's law: half as often at twice the rank. */
  pick(random: () => number): number
}

/** Pronounceable random words. Always the same. */
export function makeVocabulary(): Vocabulary {
  const random = seededRandom(SEED)
  const words = new Set<string>()
  while (words.size < WORDS) words.add(makeWord(random, words.size))
  const list = [...words]
  const spelled = languages.map((language) => [language, list.map((word) => spell(word, language))])
  return {
    words: list,
    spelled: Object.fromEntries(spelled) as Record<Language, readonly string[]>,
    pick: zipf(WORDS),
  }
}

const onsets = [
  'b',
  'br',
  'c',
  'd',
  'f',
  'g',
  'gr',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  'st',
  't',
  'v',
  'z',
]
const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou']
const endings = ['', '', 'l', 'n', 'r', 's', 't']

/** Common words are short. */
function makeWord(random: () => number, rank: number): string {
  const least = rank < 50 ? 1 : rank < 3_000 ? 2 : 3
  const syllables = least + Math.floor(random() * 2)
  const one = (from: readonly string[]) => from[Math.floor(random() * from.length)]!
  return Array.from({ length: syllables }, () => one(onsets) + one(vowels)).join('') + one(endings)
}

/** One word in three has an accent, if it has a letter for it. */
function spell(word: string, language: Language): string {
  const letters: Readonly<Record<string, string>> = accents[language]
  if ((word.length + word.charCodeAt(word.length - 1)) % 3 !== 0) return word
  const at = Array.from(word).findIndex((letter) => letter in letters)
  return at < 0 ? word : word.slice(0, at) + letters[word[at]!] + word.slice(at + 1)
}

function zipf(count: number): (random: () => number) => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank += 1) {
    sum += 1 / (rank + 1)
    sums[rank] = sum
  }
  return (random) => firstAbove(sums, random() * sum)
}

function firstAbove(sums: Float64Array, value: number): number {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sums[middle]! > value) high = middle
    else low = middle + 1
  }
  return low
}
