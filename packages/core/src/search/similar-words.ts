/** Similarity threshold of pg_trgm. */
const ALIKE = 0.3

/** A shorter word has too many neighbours with other meanings. */
const SHORTEST = 3

/** Up to this length one typing error is tolerated; above it, two. */
const LONGEST_FOR_ONE_SLIP = 5

/** Above this many differences, words are not typing errors of each other. */
const MOST_SLIPS = 4

/** The distinct trigrams of a word, with two spaces before it and one after it. */
export function gramsOf(word: string): string[] {
  const letters = Array.from(`  ${word} `)
  return [...new Set(letters.slice(2).map((letter, at) => `${letters[at]}${letters[at + 1]}${letter}`))]
}

/** The share of trigrams that two words have in common: 0 for none, 1 for all. */
export function similarity(one: string, other: string): number {
  return shareOf(new Set(gramsOf(one)), other)
}

/**
 * The candidates that may have been meant by a word, including the word itself, best first: those that share
 * enough trigrams, and those that differ by a typing error or two. In a short word, one typing error leaves
 * hardly any trigram intact.
 */
export function mostSimilar(word: string, candidates: readonly string[], most = 5): string[] {
  const letters = Array.from(word)
  if (letters.length < SHORTEST) return []
  const grams = new Set(gramsOf(word))
  const slipsBorne = letters.length <= LONGEST_FOR_ONE_SLIP ? 1 : 2
  return [...new Set(candidates)]
    .map((candidate) => {
      const others = Array.from(candidate)
      const share = shareOf(grams, candidate)
      // A difference in length is a number of typing errors; most candidates are rejected here.
      const isFar = share < ALIKE && Math.abs(letters.length - others.length) > slipsBorne
      const slips = isFar ? Number.POSITIVE_INFINITY : countSlips(letters, others, MOST_SLIPS)
      const isAlike = share >= ALIKE || slips <= slipsBorne
      return { candidate, isAlike, score: share - slips / Math.max(letters.length, others.length) }
    })
    .filter(({ isAlike }) => isAlike)
    .toSorted((one, other) => other.score - one.score || (one.candidate < other.candidate ? -1 : 1))
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

function shareOf(grams: ReadonlySet<string>, other: string): number {
  const others = gramsOf(other)
  const shared = others.filter((gram) => grams.has(gram)).length
  return shared / (grams.size + others.length - shared)
}

/**
 * Damerau-Levenshtein distance; `most` + 1 if it is larger than `most`. Only positions that are at most `most`
 * apart are compared, because a catalog of long words would take too long otherwise.
 */
function countSlips(one: readonly string[], other: readonly string[], most: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 0; row < one.length; row += 1) {
    const current = Array.from({ length: other.length + 1 }, () => most + 1)
    current[0] = row + 1
    const end = Math.min(other.length, row + most + 1)
    for (let column = Math.max(0, row - most); column < end; column += 1) {
      const isSwap = one[row] === other[column - 1] && one[row - 1] === other[column]
      current[column + 1] = Math.min(
        last[column]! + (one[row] === other[column] ? 0 : 1),
        last[column + 1]! + 1,
        current[column]! + 1,
        isSwap ? beforeLast[column - 1]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return Math.min(last.at(-1)!, most + 1)
}
