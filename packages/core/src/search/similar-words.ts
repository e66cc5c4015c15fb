/** PostgreSQL's own measure for pg_trgm, below which two words are not alike. */
const ALIKE = 0.3

/** A shorter word has too many neighbours that mean something else. */
const SHORTEST = 3

/** Up to here one slip is as much as a word bears; a longer one bears two. */
const LONGEST_FOR_ONE_SLIP = 5

/** Past so many, words are alike by their letters alone, and not by a slip. */
const SLIPS_TOLD = 4

/** The runs of three letters of a word, each once, with two spaces before it and one behind it. */
export function gramsOf(word: string): string[] {
  const letters = Array.from(`  ${word} `)
  return [...new Set(letters.slice(2).map((letter, at) => `${letters[at]}${letters[at + 1]}${letter}`))]
}

/** How much of the runs of two words is of both: 0 for none, 1 for all. */
export function similarity(one: string, other: string): number {
  return shareOf(new Set(gramsOf(one)), other)
}

/**
 * The candidates that somebody may have meant by a word, the word itself among
 * them, best first. Those that share enough of its letters, and those that a
 * slip or two of a finger make of it: of a short word one slip leaves hardly a
 * run of three whole.
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
      // A difference in length is a number of slips already; most candidates end here.
      const isFar = share < ALIKE && Math.abs(letters.length - others.length) > slipsBorne
      const slips = isFar ? Number.POSITIVE_INFINITY : countSlips(letters, others, SLIPS_TOLD)
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
 * How many letters have to be put in, left out, changed or swapped with the next
 * one to make one word of the other; one more than `most` where it is more than
 * that. So only places that lie no further apart are looked at, which a catalog
 * of long words would take too long for otherwise.
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
