import type { TextTerm } from './parse-query.ts'
import type { SearchedVideo, TextField } from './search-terms.ts'
import { wordsOf } from './words.ts'

const textsOf: Readonly<Record<TextField, (video: SearchedVideo) => readonly string[]>> = {
  title: (video) => [video.title],
  keywords: (video) => video.keywords,
  series_title: (video) => [video.seriesTitle],
  description: (video) => [video.description],
}

/**
 * Whether a video matches a query: all terms, in any of the given fields, or in any field if none is given. The
 * database query must agree.
 */
export function matchesText(
  text: readonly TextTerm[],
  fields: readonly TextField[],
  video: SearchedVideo,
): boolean {
  const searched = fields.length === 0 ? (Object.keys(textsOf) as TextField[]) : fields
  const texts = searched.flatMap((field) => textsOf[field](video)).map((of) => lineOf(wordsOf(of)))
  return text.every((term) => texts.some((line) => line.includes(lineOf(term.words))) !== term.isExcluded)
}

/** With a space at both ends, so that only whole words match. */
const lineOf = (words: readonly string[]) => ` ${words.join(' ')} `
