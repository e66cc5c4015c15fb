import { foldText } from '../text/fold-text.ts'
import { wordsOf } from './words.ts'

/** A word, or several adjacent words in this order. */
export interface TextTerm {
  readonly words: readonly string[]
  readonly isExcluded: boolean
}

/** More than users type, and few enough that no query is slow because of its length. */
const MOST_WORDS = 50

/**
 * A phrase, whose end quote may be missing; or everything up to the next space or quote. A sign counts only at
 * the start of a word.
 */
const TERM = /(?:(?<=^|\s)(?<sign>-+))?(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu

/**
 * The terms of a query, all of which must match. Terms that contain no word are dropped, and so are duplicates.
 *
 * The first fifty words count. A phrase beyond that is cut, and so finds more; an excluded phrase is dropped,
 * because cutting it would exclude more.
 */
export function parseQuery(query: string): readonly TextTerm[] {
  const terms = new Map<string, TextTerm>()
  let room = MOST_WORDS
  for (const { groups = {} } of foldText(query).matchAll(TERM)) {
    const isExcluded = groups['sign'] !== undefined
    const all = wordsOf(groups['phrase'] ?? groups['word'] ?? '')
    if (isExcluded && all.length > room) continue
    const words = all.slice(0, room)
    const key = `${isExcluded ? '-' : ''}${words.join(' ')}`
    if (words.length === 0 || terms.has(key)) continue
    terms.set(key, { words, isExcluded })
    room -= words.length
  }
  return [...terms.values()]
}
