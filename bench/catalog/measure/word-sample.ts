import type pg from 'pg'
import { BIG_ACCOUNT } from '../load/accounts.ts'

export interface WordPair {
  readonly words: readonly [string, string]
  /** Estimated share of all videos. */
  readonly share: number
  /** Whether the sample has enough of them. */
  readonly isSure: boolean
}

/** The words of a sample of videos, to estimate matches in all of them. */
export interface Sample {
  /** Words that occur in the same video. */
  pairs(): WordPair[]
  /** Adjacent words. */
  phrases(): WordPair[]
}

const SAMPLED = 30_000

/** Number of words whose pairs are counted: 180,000 pairs. */
const WORDS = 600

/** With so many, the sampling error is rarely more than a tenth. */
const SURE = 300

export async function readSample(owner: pg.Client, videos: number): Promise<Sample> {
  const percent = Math.min(100, (SAMPLED * 100) / videos)
  const { rows } = await owner.query<{ words: string }>(
    `select words::text as words from video_search tablesample bernoulli (${percent}) repeatable (1)
      where account_id = '${BIG_ACCOUNT}'`,
  )
  const sampled = rows.map(({ words }) => readVector(words))
  return { pairs: () => countPairs(sampled), phrases: () => countPhrases(sampled) }
}

/** Each word with its positions. */
type WordPositions = ReadonlyMap<string, readonly number[]>

function readVector(text: string): WordPositions {
  const words = [...text.matchAll(/'([\p{L}\p{N}\p{M}]+)':(\S+)/gu)]
  return new Map(
    words.map(([, word, places]) => [word!, places!.split(',').map((place) => Number.parseInt(place, 10))]),
  )
}

function countPairs(sampled: readonly WordPositions[]): WordPair[] {
  const videosWith = new Map<string, number[]>()
  for (const [video, words] of sampled.entries()) {
    for (const word of words.keys()) {
      const list = videosWith.get(word)
      if (list === undefined) videosWith.set(word, [video])
      else list.push(video)
    }
  }
  const common = [...videosWith].toSorted(([, a], [, b]) => b.length - a.length).slice(0, 4 * WORDS)
  // The most common words, for frequent pairs, and some of the others, for rare ones.
  const chosen = common.filter((_, rank) => rank < WORDS / 2 || rank % 12 === 0).slice(0, WORDS)
  const bits = chosen.map(([, videos]) => bitsOf(videos, sampled.length))
  return chosen.flatMap(([word, videos], i) =>
    chosen.slice(0, i).map(([other, others], j): WordPair => {
      const both = countBoth(bits[i]!, bits[j]!)
      // For small counts the expected value from both words is the better estimate.
      const expected = (videos.length * others.length) / sampled.length
      const isSure = both >= SURE
      return { words: [word, other], share: (isSure ? both : expected) / sampled.length, isSure }
    }),
  )
}

function countPhrases(sampled: readonly WordPositions[]): WordPair[] {
  const counts = new Map<string, number>()
  for (const words of sampled) {
    const wordAt = new Map([...words].flatMap(([word, places]) => places.map((place) => [place, word])))
    const phrases = [...wordAt].map(([place, word]) => `${word} ${wordAt.get(place + 1) ?? ''}`)
    for (const phrase of new Set(phrases)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
  }
  return [...counts].flatMap(([phrase, count]) => {
    const [word = '', other = ''] = phrase.split(' ')
    if (other === '' || word === other) return []
    return [{ words: [word, other] as const, share: count / sampled.length, isSure: count >= SURE }]
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

/** Hacker's Delight, figure 5-2. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
