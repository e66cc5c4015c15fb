import { timeLeft, utcMinute, utcMoment } from '../shared/times.ts'
import type { OnAirNow } from '../shared/wire-types.ts'
import classes from './now-next.module.css'

interface NowNextProps {
  readonly onAir: OnAirNow | undefined
  readonly nowMs: number
}

/** What is on, how long it lasts, and what follows. */
export function NowNext({ onAir, nowMs }: NowNextProps) {
  if (onAir === undefined) return <p className={classes['list']}>Loading…</p>
  const { program, next } = onAir
  // Of the programs, only an override has no end; the status of the channel changes before it is on air.
  const isOverridden = program !== null && program.end_time === null
  const endMs = program?.end_time == null ? undefined : Date.parse(program.end_time)
  return (
    <dl className={classes['list']}>
      <dt>Now</dt>
      <dd className={classes['title']} title={nowText(onAir, isOverridden)}>
        {nowText(onAir, isOverridden)}
      </dd>
      <dd className={classes['time']}>
        {isOverridden ? 'until returned' : endMs === undefined ? '' : `${timeLeft(endMs - nowMs)} left`}
      </dd>
      <dt>Next</dt>
      <dd className={classes['title']} title={next?.title}>
        {next?.title ?? 'Nothing scheduled'}
      </dd>
      <dd className={classes['time']}>
        {next === null ? '' : startText(Date.parse(next.start_time), nowMs)}
      </dd>
    </dl>
  )
}

/** An override is named by its component: the title of its program is that of the channel on a slate. */
function nowText({ program, component }: OnAirNow, isOverridden: boolean): string {
  if (isOverridden && component?.type === 'SLATE') return 'Rescue slate'
  if (isOverridden && component?.type === 'LIVE') return component.title ?? 'A live source'
  if (program !== null) return program.title
  return component === null
    ? 'Nothing scheduled'
    : `No program: ${fillNames[component.type] ?? component.title ?? ''}`
}

const fillNames: Readonly<Record<string, string>> = { SLATE: 'slate', TIME_FILL: 'time fill' }

const FAR_MS = 20 * 3_600_000

const startText = (startMs: number, nowMs: number): string =>
  startMs - nowMs > FAR_MS ? utcMoment(startMs, nowMs) : `${utcMinute(startMs)} UTC`
