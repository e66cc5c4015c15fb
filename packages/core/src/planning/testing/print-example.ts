import { type CatalogSnapshot, emptyPlanState, type PlannedProgram } from '@continuity/core/rules/plan-input'
import { planSchedule } from '@continuity/core/rules/plan-schedule'
import { readPlanRules } from '@continuity/core/rules/read-plan-rules'
import { aCatalog, aSeries, aVideo } from '@continuity/core/rules/testing/a-catalog'
import { localTimeOf } from './local-clock.ts'

const DAY_MS = 86_400_000

/** docs/plans/catalog.json */
interface CatalogFile {
  readonly series: readonly {
    readonly series_id: string
    readonly title: string
    readonly episodes: number
    readonly minutes: number
    readonly rating: string
  }[]
  readonly videos: readonly {
    readonly id: string
    readonly title: string
    readonly minutes: number
    readonly genre: string
    readonly rating: string
    readonly published: string
    readonly cues?: readonly number[]
  }[]
  readonly playlists: Readonly<Record<string, readonly string[]>>
}

/** An example: rules, and the local day that is printed. */
export interface Example {
  readonly title: string
  readonly day: string
  readonly rules: { readonly time_zone: string }
}

export function exampleCatalog({ series, videos, playlists }: CatalogFile): CatalogSnapshot {
  const episodes = series.flatMap(({ series_id, episodes, minutes, rating }) =>
    aSeries(series_id, episodes, { minutes, parental_rating: rating }),
  )
  const others = videos.map(({ id, title, minutes, genre, rating, published, cues = [] }) =>
    aVideo(id, {
      title,
      minutes,
      genres: [{ genre, sub_genre: '' }],
      parental_rating: rating,
      date_published: `${published}T00:00:00Z`,
      cue_points_ms: cues.map((minute) => minute * 60_000),
    }),
  )
  return { ...aCatalog([...episodes, ...others], playlists), series }
}

/** Plans from a week before the day, and prints the programs of the day: start, end, rule, title and reason. */
export function printExample({ title, day, rules: document }: Example, catalog: CatalogSnapshot): string {
  const read = readPlanRules(document)
  if (read.kind === 'rejected') throw new Error(`${title}: ${JSON.stringify(read.faults)}`)
  const { rules } = read
  const dayMs = Date.parse(`${day}T00:00:00Z`)
  const [from_ms, to_ms] = [dayMs - 8 * DAY_MS, dayMs + 2 * DAY_MS]
  const plan = planSchedule({ rules, catalog, state: emptyPlanState, seed: 1, from_ms, to_ms, fixed: [] })
  const dateOf = (ms: number) => localTimeOf(rules.time_zone, ms).date
  const programs = plan.programs.filter(({ start_ms }) => dateOf(start_ms) === day)
  const warnings = plan.warnings.filter(({ at_ms }) => dateOf(at_ms) === day)
  const time = (ms: number) => new Date(localTimeOf(rules.time_zone, ms).ms).toISOString().slice(11, 16)
  return [
    title,
    `${day}, ${rules.time_zone}`,
    '',
    ...programs.flatMap((program) => [printProgram(program, time), ...printBreaks(program, time)]),
    ...(warnings.length === 0 ? [] : ['', 'Warnings']),
    ...warnings.map(
      ({ at_ms, rule, code, message }) => `${time(at_ms)}  ${rule.padEnd(9)}  ${code}: ${message}`,
    ),
    '',
  ].join('\n')
}

function printProgram(program: PlannedProgram, time: (ms: number) => string): string {
  const { start_ms, end_ms, rule, title, reason } = program
  return `${time(start_ms)}-${time(end_ms)}  ${rule.padEnd(9)}  ${title.padEnd(20)}  ${reason}`
}

const printBreaks = ({ basis }: PlannedProgram, time: (ms: number) => string): string[] =>
  basis.breaks.map(({ start_ms, end_ms }) => `  ${time(start_ms)}-${time(end_ms)}  break`)
