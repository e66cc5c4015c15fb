import type { Draw } from '../draw.ts'

export interface SomeSeries {
  readonly seriesId: string
  readonly title: string
}

/** Few, so that texts share them: in several scripts, with numbers, apostrophes, and letters that are folded. */
export const words: readonly string[] = [
  'night',
  'train',
  'harbour',
  'sea',
  'the',
  'of',
  'a',
  'tide',
  'table',
  'ferry',
  'long',
  'Apollo',
  '13',
  'café',
  'CAFE',
  'Straße',
  'strasse',
  'œuvre',
  'don’t',
  "O'Brien",
  'naïve',
  'Ærø',
  '2001',
  'x',
  'ﬁlm',
  '東京',
  '物語',
  'กรุงเทพ',
  'Москва',
  'ночь',
  'Ωμέγα',
  'İstanbul',
  'ночь',
  '한국',
  'नमस्ते',
  'x'.repeat(70),
]

const separators: readonly string[] = [' ', ' ', ' ', ' ', '-', ', ', '. ', ' – ', '/', ' & ', '\n', '']

/** Words of the list, joined by random separators. */
export const someText = (draw: Draw, least: number, most: number): string =>
  draw
    .some(least, most, () => draw.one(words))
    .reduce((text, word) => (text === '' ? word : text + draw.one(separators) + word), '')
