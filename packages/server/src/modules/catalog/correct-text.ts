import type { TextTerm } from '@continuity/core/search/parse-query'
import { isMistypable } from '@continuity/core/search/search-terms'
import { gramsOf, mostSimilar } from '@continuity/core/search/similar-words'
import type { Db } from '../../platform/database/database.ts'
import { findWordsWith, listKnownWords } from './word-store.ts'

/** Words that nobody ever wrote, each with what may have been meant. */
export type Corrections = ReadonlyMap<string, readonly string[]>

/**
 * Of those with most letters in common the likeliest is among the first. Of long
 * words fewer are looked at: each takes longer, and fewer are alike by chance.
 */
const candidatesFor = (word: string) => Math.ceil(5_000 / Math.max(word.length, 10))

/** For each word; more would find what nobody meant. */
const MEANT_MOST = 3

/** A query of more unknown words than these is no mistake of typing. */
const UNKNOWN_MOST = 4

/**
 * What the words of a query may have been meant to be; undefined where there is
 * nothing to correct. Words that are in no list, such as numbers, are taken as they are.
 */
export async function findCorrections(
  db: Db,
  accountId: string,
  text: readonly TextTerm[],
): Promise<Corrections | undefined> {
  const words = text.flatMap((term) => (term.isExcluded ? [] : term.words))
  const asked = [...new Set(words)].filter(isMistypable)
  const known = new Set(await listKnownWords(db, accountId, asked))
  const unknown = asked.filter((word) => !known.has(word))
  if (unknown.length === 0 || unknown.length > UNKNOWN_MOST) return undefined
  const corrections = new Map<string, readonly string[]>()
  for (const word of unknown) {
    const candidates = await findWordsWith(db, accountId, someGramsOf(word), candidatesFor(word))
    const meant = mostSimilar(word, candidates, MEANT_MOST)
    if (meant.length === 0) return undefined
    corrections.set(word, meant)
  }
  return withinMark(corrections)
}

/** A page's mark holds them beside the place where it ends, which takes up to 450 of its 1,520 bytes. */
const PRINTED_BYTES = 1_000

/** The likeliest alone, where the words are so long that no mark holds more. */
function withinMark(corrections: Corrections): Corrections | undefined {
  for (let most = MEANT_MOST; most > 0; most -= 1) {
    const likeliest = new Map([...corrections].map(([word, meant]) => [word, meant.slice(0, most)]))
    if (Buffer.byteLength(printCorrections(likeliest)) <= PRINTED_BYTES) return likeliest
  }
  return undefined
}

/** A word of thirteen letters has no more. Of a longer one, runs here and there tell as well which words are like it. */
const GRAMS_MOST = 14

function someGramsOf(word: string): string[] {
  const grams = gramsOf(word)
  const step = Math.ceil(grams.length / GRAMS_MOST)
  return grams.filter((_, at) => at % step === 0)
}

/** The query in every way that it may have been meant, the likeliest first. */
export function correctText(text: readonly TextTerm[], corrections: Corrections): readonly TextTerm[][] {
  let ways: TextTerm[][] = [[...text]]
  for (const [word, meant] of corrections) {
    ways = ways.flatMap((way) => meant.map((other) => way.map((term) => withWord(term, word, other))))
  }
  return ways
}

const withWord = (term: TextTerm, word: string, other: string): TextTerm =>
  term.isExcluded ? term : { ...term, words: term.words.map((one) => (one === word ? other : one)) }

/** As text for a page's mark: words hold none of these signs. */
export const printCorrections = (corrections: Corrections): string =>
  [...corrections].map(([word, meant]) => `${word}:${meant.join(',')}`).join(';')

export const readCorrections = (text: string): Corrections =>
  new Map(
    text.split(';').map((part) => {
      const [word = '', meant = ''] = part.split(':')
      return [word, meant.split(',')]
    }),
  )
