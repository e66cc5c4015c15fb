import type pg from 'pg'
import { BIG_ACCOUNT } from '../load/accounts.ts'

export interface WordPair {
  readonly words: readonly [string, string]
  /** Of all videos, as far as the sample can tell. */
  readonly share: number
  /** The sample has enough of them to go by. */
  readonly isSure: boolean
}

/** What some of the videos say, for what all of them will match. */
export interface Sample {
  /** Words that stand in one video, anywhere. */
  pairs(): WordPair[]
  /** Words that stand side by side. */
  phrases(): WordPair[]
}

const SAMPLED = 30_000

/** Pairs are counted of so many words: 180,000 pairs. */
const WORDS = 600

/** Then chance moves the number by a tenth, rarely. */
const SURE = 300

export async function readSample(owner: pg.Client, videos: number): Promise<Sample> {
  const percent = Math.min(100, (SAMPLED * 100) / videos)
  const { rows } = await owner.query<{ words: string }>(
    `select words::text as words from video_search tablesample bernoulli (${percent}) repeatable (1)
      where account_id = '${BIG_ACCOUNT}'`,
  )
  const said = rows.map(({ words }) => readVector(words))
  return { pairs: () => countPairs(said), phrases: () => countPhrases(said) }
}

/** Each word with its places. */
type Said = ReadonlyMap<string, readonly number[]>

function readVector(text: string): Said {
  const words = [...text.matchAll(/'([\p{L}\p{N}\p{M}]+)':(\S+)/gu)]
  return new Map(
    words.map(([, word, places]) => [word!, places!.split(',').map((place) => Number.parseInt(place, 10))]),
  )
}

function countPairs(said: readonly Said[]): WordPair[] {
  const videosWith = new Map<string, number[]>()
  for (const [video, words] of said.entries()) {
    for (const word of words.keys()) {
      const list = videosWith.get(word)
      if (list === undefined) videosWith.set(word, [video])
      else list.push(video)
    }
  }
  const common = [...videosWith].toSorted(([, a], [, b]) => b.length - a.length).slice(0, 4 * WORDS)
  // The most common of all, for pairs that many have, and some of the others, for those that few have.
  const chosen = common.filter((_, rank) => rank < WORDS / 2 || rank % 12 === 0).slice(0, WORDS)
  const bits = chosen.map(([, videos]) => bitsOf(videos, said.length))
  return chosen.flatMap(([word, videos], i) =>
    chosen.slice(0, i).map(([other, others], j): WordPair => {
      const both = countBoth(bits[i]!, bits[j]!)
      // Of so few as to be chance, what the two words alone let expect says more.
      const expected = (videos.length * others.length) / said.length
      const isSure = both >= SURE
      return { words: [word, other], share: (isSure ? both : expected) / said.length, isSure }
    }),
  )
}

function countPhrases(said: readonly Said[]): WordPair[] {
  const counts = new Map<string, number>()
  for (const words of said) {
    const wordAt = new Map([...words].flatMap(([word, places]) => places.map((place) => [place, word])))
    const phrases = [...wordAt].map(([place, word]) => `${word} ${wordAt.get(place + 1) ?? ''}`)
    for (const phrase of new Set(phrases)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
  }
  return [...counts].flatMap(([phrase, count]) => {
    const [word = '', other = ''] = phrase.split(' ')
    if (other === '' || word === other) return []
    return [{ words: [word, other] as const, share: count / said.length, isSure: count >= SURE }]
  })
}

function bitsOf(videos: readonly number[], count: number): Uint32Array {
  const bits = new Uint32Array(Math.ceil(count / 32))
  for (const video of videos) bits[video >> 5]! |= 1 << (video & 31)
  return bits
}

function countBoth(one: Uint32Array, other: Uint32Array): number {
  let count = 0
  for (let i = 0; i < one.length; i += 1) count += bitCount(one[i]! & other[i]!)
  return count
}

/** As Hacker's Delight has it, figure 5-2. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
