import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'

export type Rules = BodyOf<Operations['putPlan']>
export type Plan = AnswerOf<Operations['getPlan']>
export type Preview = AnswerOf<Operations['previewPlan']>
export type Block = NonNullable<Rules['blocks']>[number]
export type Filling = NonNullable<Rules['default']>
export type Content = Filling['content']
export type Breaks = NonNullable<Rules['breaks']>
export type Separation = NonNullable<Rules['separation']>[number]
export type Rating = NonNullable<Rules['ratings']>[number]
export type Availability = NonNullable<Rules['availability']>[number]
export type Weekday = NonNullable<NonNullable<Block['days']>>[number]

export const weekdayNames: Readonly<Record<Weekday, string>> = {
  MON: 'Mon',
  TUE: 'Tue',
  WED: 'Wed',
  THU: 'Thu',
  FRI: 'Fri',
  SAT: 'Sat',
  SUN: 'Sun',
}

export const orderWords: Readonly<Record<Filling['order'], string>> = {
  NEXT_EPISODE: 'The next episode, one series after another',
  MARATHON: 'All episodes of a series, then the next series',
  SHUFFLE: 'Shuffled, each once before any is repeated',
  NEWEST_FIRST: 'Newest first, each once before any is repeated',
  REPLAY: 'As the other block was shown last',
}

export const startWords: Readonly<Record<NonNullable<Rules['starts']>, string>> = {
  NONE: 'At any time',
  HOUR: 'At :00',
  HALF_HOUR: 'At :00 and :30',
}

export const breakWords: Readonly<Record<NonNullable<Breaks['at']>, string>> = {
  NONE: 'No ad breaks',
  BETWEEN: 'After programs',
  CUE_POINTS: 'At cue points in videos',
}

export const separationWords: Readonly<Record<Separation['by'], string>> = {
  VIDEO: 'The same video',
  SERIES: 'The same series',
  KEYWORD: 'Videos with a keyword',
}

export const availabilityWords = {
  series_id: 'A series',
  video_id: 'A video',
  keyword: 'Videos with a keyword',
} as const

/** Choices of a select, from a table of words. */
export const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))
