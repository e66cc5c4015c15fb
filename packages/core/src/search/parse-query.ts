import { foldText } from '../text/fold-text.ts'
import { wordsOf } from './words.ts'

/** Several words stand next to each other, in this order. */
export interface TextTerm {
  readonly words: readonly string[]
  readonly isExcluded: boolean
}

/** More than anybody types, and few enough that no query is slow by its length alone. */
const MOST_WORDS = 50

/** A phrase, its end may be missing; or all up to the next space or quote. A sign counts only where a word begins. */
const TERM = /(?:(?<=^|\s)(?<sign>-+))?(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu

/**
 * What a query asks for: all of the terms. Those without a word are none, and
 * equal ones are one.
 *
 * The first fifty words count. A phrase that goes on is cut there and so finds
 * more; one that excludes is left out, because cut it would take away more.
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
