import { useQuery } from '@tanstack/react-query'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import { serverNowMs } from '../shared/server-time.ts'
import { timeLeft, utcTime } from '../shared/times.ts'
import type { Program } from '../shared/wire-types.ts'
import classes from './program-bar.module.css'

type Component = NonNullable<Program['components']>[number]

export const componentNames: Readonly<Record<Component['type'], string>> = {
  VIDEO: 'Video',
  AD_POD: 'Ad break',
  INTERSTITIAL: 'Interstitial',
  TIME_FILL: 'Time fill',
  LIVE: 'Live',
  SLATE: 'Slate',
}

/** The program on air with its components; null in time without a program. */
function useProgram(channelId: string): Program | null | undefined {
  const client = useClient()
  const { data } = useQuery({
    queryKey: keys.program(channelId),
    queryFn: async ({ signal }): Promise<Program | null> => {
      const from = serverNowMs()
      const query = {
        from: new Date(from).toISOString(),
        to: new Date(from + 1).toISOString(),
        components: true,
      }
      const { hits } = await client.listPrograms(
        { params: { linear_channel_id: channelId }, query },
        { signal },
      )
      return hits.find(({ state }) => state === 'ON_AIR') ?? null
    },
    refetchInterval: ({ state }) => readAgainMs(state.data),
  })
  return data
}

/** The start of a program has no event. */
const AGAIN_MS = 10_000

/** When the component is over: until then nothing changes without an event. */
function readAgainMs(program: Program | null | undefined): number {
  const component = program && findOnAir(program, serverNowMs())
  if (!component || component.end_time === null) return AGAIN_MS
  return Math.min(AGAIN_MS, Math.max(1_000, Date.parse(component.end_time) - serverNowMs() + 500))
}

const findOnAir = ({ components = [] }: Program, nowMs: number): Component | undefined =>
  components.find(
    ({ start_time, end_time }) =>
      Date.parse(start_time) <= nowMs && (end_time === null || Date.parse(end_time) > nowMs),
  )

/** The components of the program on air to scale, with the current time in it. */
export function ProgramBar({ channelId, nowMs }: { channelId: string; nowMs: number }) {
  const program = useProgram(channelId)
  // An override without an end has no scale.
  if (!program || program.end_time === null) return null
  const startMs = Date.parse(program.start_time)
  const lengthMs = Date.parse(program.end_time) - startMs
  const components = program.components ?? []
  if (components.length === 0 || lengthMs <= 0) return null
  const onAir = findOnAir(program, nowMs)
  const atOf = (ms: number) => Math.min(Math.max(((ms - startMs) / lengthMs) * WIDTH, 0), WIDTH)
  return (
    <section aria-label="Components of the program">
      <svg
        className={classes['bar']}
        viewBox={`0 0 ${WIDTH} 10`}
        preserveAspectRatio="none"
        role="img"
        aria-label={components.map(describe).join('; ')}
      >
        {components.map((component) => {
          const from = atOf(Date.parse(component.start_time))
          const to = component.end_time === null ? WIDTH : atOf(Date.parse(component.end_time))
          return (
            <rect
              key={component.start_time}
              className={classes[component.type]}
              x={from}
              width={Math.max(to - from - GAP, GAP)}
              height={10}
            >
              <title>{describe(component)}</title>
            </rect>
          )
        })}
        <rect className={classes['now']} x={atOf(nowMs)} width={2 * GAP} height={10} />
      </svg>
      <p className={classes['text']}>
        <span>{onAir === undefined ? 'Between components' : nameOf(onAir)}</span>
        <span>
          {onAir?.end_time == null ? '' : `${timeLeft(Date.parse(onAir.end_time) - nowMs)} left of it`}
        </span>
      </p>
    </section>
  )
}

/** Of the drawing; it is stretched to the page. */
const WIDTH = 1_000
const GAP = 1.5

const nameOf = ({ type, title }: Component): string =>
  title === null || title === '' ? componentNames[type] : `${componentNames[type]}: ${title}`

const describe = (component: Component): string =>
  `${nameOf(component)}, from ${utcTime(Date.parse(component.start_time))} UTC`
