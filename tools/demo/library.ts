/** A film of the demo: it becomes a file, and a video of the catalog. */
export interface DemoFilm {
  readonly id: string
  readonly title: string
  readonly seconds: number
  readonly colour: string
  /** Of its tone, in Hertz. */
  readonly pitch: number
  readonly genre: string
  readonly rating: string
  readonly series?: { readonly title: string; readonly episode: number }
}

export interface DemoChannel {
  readonly title: string
  readonly description: string
  /** Shown by a partner's program some days ahead, and by rules as soon as they are packaged. */
  readonly films: readonly DemoFilm[]
  /** With the ids of series by title, and of playlists by `playlistOf` their channel, for so many days. */
  rules(ids: ReadonlyMap<string, string>, days: number): object
}

/** One for each number of minutes. */
const episodes = (
  title: string,
  minutes: readonly number[],
  look: Pick<DemoFilm, 'colour' | 'pitch' | 'genre' | 'rating'>,
): DemoFilm[] =>
  minutes.map((length, at) => ({
    id: `${title.toLowerCase().replaceAll(' ', '-')}-${at + 1}`,
    title: `${title} ${at + 1}`,
    seconds: length * 60,
    ...look,
    pitch: look.pitch + at * 30,
    series: { title, episode: at + 1 },
  }))

const film = (title: string, minutes: number, colour: string, pitch: number): DemoFilm => ({
  id: title.toLowerCase().replaceAll(' ', '-'),
  title,
  seconds: minutes * 60,
  colour,
  pitch,
  genre: 'film',
  rating: 'PG',
})

/** A series may have the title of a channel. */
export const playlistOf = (channel: string): string => `playlist of ${channel}`

export const OTTER = 'Otter and Friends'
export const HARBOUR = 'Harbour Nights'
export const WATER = 'Open Water'

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const breaks = { at: 'BETWEEN', every_minutes: 12, length_seconds: 60 }

export const demoChannels: readonly DemoChannel[] = [
  {
    title: 'Otter Kids',
    description: 'Cartoons around the clock.',
    // The first one is soon packaged: with it, the first channel of a new home is on the air.
    films: episodes(OTTER, [1 / 3, 2, 2, 3], { colour: '0x2e7d32', pitch: 392, genre: 'kids', rating: 'G' }),
    rules: (ids, days) => ({
      time_zone: zone,
      horizon_days: days,
      breaks,
      default: { content: { series_ids: [ids.get(OTTER)!] }, order: 'NEXT_EPISODE' },
    }),
  },
  {
    title: 'Harbour One',
    description: 'Drama in the evening, films before and after.',
    films: episodes(HARBOUR, [3, 2, 3, 2], { colour: '0x1565c0', pitch: 294, genre: 'drama', rating: 'PG' }),
    rules: (ids, days) => ({
      time_zone: zone,
      horizon_days: days,
      breaks,
      blocks: [
        {
          id: 'evening',
          times: [{ from: '19:00', to: '22:00' }],
          content: { series_ids: [ids.get(HARBOUR)!] },
          order: 'NEXT_EPISODE',
          starts: 'HALF_HOUR',
          rest: 'DEFAULT',
        },
      ],
      default: {
        content: { filter: { in: { genre: ['drama', 'film'] } } },
        order: 'SHUFFLE',
        track: 'day',
      },
    }),
  },
  {
    title: 'Salt Movies',
    description: 'Films, each once before any is repeated.',
    films: [
      film('Salt', 3, '0x6a1b9a', 220),
      film('North Light', 4, '0xad1457', 247),
      film('The Long Ferry', 5, '0x4e342e', 262),
    ],
    rules: (ids, days) => ({
      time_zone: zone,
      horizon_days: days,
      breaks,
      default: { content: { playlist_id: ids.get(playlistOf('Salt Movies'))! }, order: 'SHUFFLE' },
    }),
  },
  {
    title: 'Open Water',
    description: 'Documentaries, with a replay at night.',
    films: episodes(WATER, [3, 2, 3], { colour: '0x00695c', pitch: 330, genre: 'documentary', rating: 'G' }),
    rules: (ids, days) => ({
      time_zone: zone,
      horizon_days: days,
      breaks,
      blocks: [
        {
          id: 'prime',
          times: [{ from: '20:00', to: '21:30' }],
          content: { series_ids: [ids.get(WATER)!] },
          order: 'MARATHON',
        },
        {
          id: 'night',
          times: [{ from: '02:00', to: '03:30' }],
          content: { block_id: 'prime' },
          order: 'REPLAY',
        },
      ],
      default: { content: { filter: { eq: { genre: 'documentary' } } }, order: 'SHUFFLE' },
    }),
  },
]

/** For the first hour of the first channel, with the one episode that is packaged by then. */
export const openingRules = (ids: ReadonlyMap<string, string>, nowMs: number): object => ({
  time_zone: 'UTC',
  horizon_days: 1,
  blocks: [
    {
      id: 'opening',
      times: [{ from: clockAt(nowMs - 60_000), to: clockAt(nowMs + 3_600_000) }],
      content: { series_ids: [ids.get(OTTER)!] },
      order: 'NEXT_EPISODE',
    },
  ],
})

const clockAt = (ms: number): string => new Date(ms).toISOString().slice(11, 16)
