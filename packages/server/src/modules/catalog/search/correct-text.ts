import type { TextTerm } from '@continuity/core/search/parse-query'
import { isMistypable } from '@continuity/core/search/search-terms'
import { gramsOf, mostSimilar } from '@continuity/core/search/similar-words'
import type { Db } from '../../../platform/database/database.ts'
import { findWordsWith, listKnownWords } from '../search-index/word-store.ts'

/** Unknown words, each with similar known words. */
export type Corrections = ReadonlyMap<string, readonly string[]>

/**
 * The likeliest correction is among the first words by common trigrams. Long words
 * need fewer candidates: each takes longer, and random similarities are rarer.
 */
const candidatesFor = (word: string) => Math.ceil(5_000 / Math.max(word.length, 10))

/** Corrections of each word; more would add irrelevant results. */
const CORRECTIONS_MOST = 3

/** A query with more unknown words is not a typing error. */
const UNKNOWN_MOST = 4

/**
 * Corrections of the words of a query; undefined if there is nothing to correct. Words
 * that are not in the word list, such as numbers, are not corrected.
 */
export async function findCorrections(
  db: Db,
  accountId: string,
  text: readonly TextTerm[],
): Promise<Corrections | undefined> {
  const words = text.flatMap((term) => (term.isExcluded ? [] : term.words))
  const correctable = [...new Set(words)].filter(isMistypable)
  const known = new Set(await listKnownWords(db, accountId, correctable))
  const unknown = correctable.filter((word) => !known.has(word))
  if (unknown.length === 0 || unknown.length > UNKNOWN_MOST) return undefined
  const corrections = new Map<string, readonly string[]>()
  for (const word of unknown) {
    const candidates = await findWordsWith(db, accountId, someGramsOf(word), candidatesFor(word))
    const meant = mostSimilar(word, candidates, CORRECTIONS_MOST)
    if (meant.length === 0) return undefined
    corrections.set(word, meant)
  }
  return withinCursor(corrections)
}

/** A cursor contains the corrections and a key, which takes up to 450 of its 1,520 bytes. */
const PRINTED_BYTES = 1_000

/** As many of the likeliest corrections as fit into a cursor. */
function withinCursor(corrections: Corrections): Corrections | undefined {
  for (let most = CORRECTIONS_MOST; most > 0; most -= 1) {
    const likeliest = new Map([...corrections].map(([word, meant]) => [word, meant.slice(0, most)]))
    if (Buffer.byteLength(printCorrections(likeliest)) <= PRINTED_BYTES) return likeliest
  }
  return undefined
}

/** The trigrams of a word of thirteen letters. For a longer one, a sample finds similar words as well. */
const GRAMS_MOST = 14

function someGramsOf(word: string): string[] {
  const grams = gramsOf(word)
  const step = Math.ceil(grams.length / GRAMS_MOST)
  return grams.filter((_, at) => at % step === 0)
}

/** All corrected variants of the query, the likeliest first. */
export function correctText(text: readonly TextTerm[], corrections: Corrections): readonly TextTerm[][] {
  let variants: TextTerm[][] = [[...text]]
  for (const [word, meant] of corrections) {
    variants = variants.flatMap((variant) =>
      meant.map((other) => variant.map((term) => withWord(term, word, other))),
    )
  }
  return variants
}

const withWord = (term: TextTerm, word: string, other: string): TextTerm =>
  term.isExcluded ? term : { ...term, words: term.words.map((one) => (one === word ? other : one)) }

/** As text for a cursor: words contain none of these separators. */
export const printCorrections = (corrections: Corrections): string =>
  [...corrections].map(([word, meant]) => `${word}:${meant.join(',')}`).join(';')

export const readCorrections = (text: string): Corrections =>
  new Map(
    text.split(';').map((part) => {
      const [word = '', meant = ''] = part.split(':')
      return [word, meant.split(',')]
    }),
  )
