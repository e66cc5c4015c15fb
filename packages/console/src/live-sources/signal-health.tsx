import { useQuery } from '@tanstack/react-query'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import { serverNowMs } from '../shared/server-time.ts'
import type { LiveSource, SourceHealth } from '../shared/wire-types.ts'
import classes from './signal-health.module.css'

type Input = SourceHealth['inputs'][number]
type Slot = Input['slots'][number]

/** As often as receivers report it. Nothing is read for a tab in the background. */
const REPORTED_MS = 12_800

const SHOWN_MS = 600_000
const HEIGHT = 24

/** From silence to full level, in LUFS. */
const QUIETEST = -60

/** How the signal of each input was in the last ten minutes: a bar for each slot, as high as it was loud. */
export function SignalHealth({ source, isInSight }: { source: LiveSource; isInSight: boolean }) {
  const { live_source_id: id, name, status } = source
  const client = useClient()
  const { data } = useQuery({
    queryKey: keys.health(id),
    queryFn: async ({ signal }) => ({
      ...(await client.getLiveSourceHealth({ params: { live_source_id: id } }, { signal })),
      readMs: serverNowMs(),
    }),
    enabled: isInSight && status !== 'IDLE',
    refetchInterval: REPORTED_MS,
  })
  if (status === 'IDLE' || data === undefined) return null
  const inputs = data.inputs.filter(({ slots }) => slots.length > 0)
  return (
    <section className={classes['health']} aria-label={`Signal of ${name}`}>
      {inputs.map((input) => (
        <div key={input.input}>
          <Bars input={input} nowMs={data.readMs} label={`${nameOf(input, data)}, last 10 minutes`} />
          <p>
            {data.inputs.length === 1 ? 'Last 10 minutes' : `${nameOf(input, data)}, last 10 minutes`}:{' '}
            {healthText(input)}
          </p>
        </div>
      ))}
    </section>
  )
}

const nameOf = ({ input }: Input, { inputs }: SourceHealth): string =>
  inputs.length === 1 ? 'Signal' : input === 0 ? 'Main input' : 'Redundant input'

function Bars({ input: { slots }, nowMs, label }: { input: Input; nowMs: number; label: string }) {
  const slotMs = lengthOf(slots)
  return (
    <svg
      className={classes['bars']}
      viewBox={`0 0 ${SHOWN_MS / slotMs} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {slots.map((slot) => {
        const height = slot.fill ? HEIGHT : HEIGHT * levelOf(slot)
        const x = (Date.parse(slot.start_time) - (nowMs - SHOWN_MS)) / slotMs
        return (
          <rect
            key={slot.start_time}
            className={classes[toneOf(slot)]}
            x={x}
            y={HEIGHT - height}
            width={1}
            height={height}
          />
        )
      })}
    </svg>
  )
}

/** Slots follow one another, except where the input was not received. */
const lengthOf = (slots: readonly Slot[]): number =>
  Math.min(
    6_400,
    ...slots.slice(1).map((slot, at) => Date.parse(slot.start_time) - Date.parse(slots[at]!.start_time)),
  )

function levelOf({ loudness_lufs: lufs }: Slot): number {
  const level = lufs === null ? 0 : Math.min(1, Math.max(0, 1 - lufs / QUIETEST))
  return 0.15 + 0.85 * level
}

const toneOf = ({ fill, black, frozen, silent }: Slot): 'missing' | 'poor' | 'good' =>
  fill ? 'missing' : black || frozen || silent ? 'poor' : 'good'

const one = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** What is wrong, then the figures. */
function healthText({ totals, slots }: Input): string {
  const { fill, black, frozen, silent, bitrate_kbps, loudness_lufs, delay_ms } = totals
  const seconds = (count: number) => `${Math.round((count * lengthOf(slots)) / 1_000)} s`
  const faults = [
    fill > 0 && `${seconds(fill)} without a signal`,
    black > 0 && `${seconds(black)} black`,
    frozen > 0 && `${seconds(frozen)} frozen`,
    silent > 0 && `${seconds(silent)} silent`,
  ].filter((it) => it !== false)
  const figures = [
    bitrate_kbps !== null && `${one.format(bitrate_kbps / 1_000)} Mbit/s`,
    loudness_lufs !== null && `${one.format(loudness_lufs)} LUFS`,
    delay_ms !== null && `at least ${one.format(delay_ms / 1_000)} s early`,
  ].filter((it) => it !== false)
  return [faults.length === 0 ? 'no fault' : faults.join(', '), ...figures].join(' · ')
}
