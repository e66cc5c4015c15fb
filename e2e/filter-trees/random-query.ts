import type { TextField } from '@continuity/core/search/search-terms'
import { wordsOf } from '@continuity/core/search/words'
import type { Draw } from '../draw.ts'
import { anyWord, type CatalogVideo } from './random-catalog.ts'

export const textFields: readonly TextField[] = ['title', 'keywords', 'series_title', 'description']

/**
 * A query of words that the catalog contains, most of them of one video. Other
 * words are only excluded: the search would correct them to similar words.
 */
export function someQuery(draw: Draw, videos: readonly CatalogVideo[]): string {
  const terms = draw.some(1, 3, () => someTerm(draw, draw.one(videos)))
  if (draw.chance(0.3)) terms.push(draw.one(['-unusedword', '-"unused words here"', '-', '""', '...', '"']))
  return terms.join(draw.one([' ', ' ', '  ', '\t']))
}

function someTerm(draw: Draw, video: CatalogVideo): string {
  const words = wordsOf(draw.one(textsOf(video)))
  const from = draw.below(words.length)
  const run = words.length === 0 ? [anyWord(draw)] : words.slice(from, from + 1 + draw.below(3))
  const spelled = run.map((word) => draw.one([word, word, word.toUpperCase(), word.normalize('NFD')]))
  const sign = draw.chance(0.25) ? '-' : ''
  return draw.one([
    `${sign}${spelled[0]}`,
    `${sign}"${spelled.join(' ')}"`,
    `${sign}"${spelled.join(', ')}"`,
    `${sign}${spelled.join('-')}`,
    `${sign}“${spelled.join(' ')}”`,
    spelled.toReversed().join(' '),
    `"${spelled.toReversed().join(' ')}"`,
  ])
}

const textsOf = ({ record, seriesTitle }: CatalogVideo): readonly string[] => [
  record.title,
  record.description,
  seriesTitle,
  ...record.keywords,
]

/** None, which means all, or some of them. */
export const someFields = (draw: Draw): TextField[] =>
  draw.chance(0.5) ? [] : textFields.filter(() => draw.chance(0.5))
