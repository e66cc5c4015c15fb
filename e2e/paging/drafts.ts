/** A word that many videos have, one that few have, and two words side by side. */
export const MANY = 'harbour'
export const FEW = 'lantern'
export const PHRASE = 'night train'

export type Random = () => number

export const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!

const YEAR_MS = 365 * 86_400_000

/** Several spellings of one title, titles that differ after the first 100 characters, and one that sorts last. */
const titles = [
  'Tide',
  'tide',
  'Tïde',
  'Ferry',
  'Ångström',
  'Zebra crossing',
  '東京',
  '\u{1f6a2} Ship',
  '\u{10ffff}\u{10ffff}',
  `${'x'.repeat(120)} one`,
  `${'x'.repeat(120)} two`,
]

/** A random video. Many share values, so that lists have to order them by id. */
export function videoDraft(random: Random, seriesIds: readonly (string | null)[], nowMs: number) {
  const texts = { title: titleOf(random), keywords: [] as string[], description: '' }
  if (random() < 0.6) addWord(random, texts, MANY)
  if (random() < 0.04) addWord(random, texts, FEW)
  if (random() < 0.1) texts.description += ` ${PHRASE}`
  const past = (days: number) => new Date(nowMs - days * 86_400_000).toISOString()
  const future = (days: number) => past(-days)
  return {
    ...texts,
    duration: pick(random, [0, 59, 60, 60, 60, 1_440, 3_600, 604_800]),
    series_id: pick(random, seriesIds),
    season_number: pick(random, [null, 0, 1, 1, 2]),
    episode_number: pick(random, [null, 0, 1, 2, 3, 3, 3, 4, 5, 1_000_000]),
    audio_language: pick(random, [null, 'de', 'en']),
    date_published: pick(random, [
      null,
      past(1),
      past(1),
      past(400),
      future(2),
      ...[1, 2, 3, 4, 5].map(() => new Date(nowMs - Math.floor(random() * 2 * YEAR_MS)).toISOString()),
    ]),
    date_available: pick(random, [null, null, null, past(3), past(3), past(9), future(3)]),
    date_expired: pick(random, [null, null, null, future(3), future(3), future(9), past(2)]),
    status: pick(random, ['READY', 'READY', 'READY', 'READY', 'DRAFT', 'DISABLED']),
  }
}

/** Titles of series, playlists and brands. */
export const titleOf = (random: Random): string =>
  random() < 0.7 ? pick(random, titles) : `Number ${Math.floor(random() * 1_000)}`

function addWord(
  random: Random,
  texts: { title: string; keywords: string[]; description: string },
  word: string,
): void {
  const choice = random()
  if (choice < 0.1) texts.title = word
  else if (choice < 0.4) texts.title += ` ${word}`
  else if (choice < 0.7) texts.keywords.push(word)
  else texts.description += ` at the ${word}`
}
