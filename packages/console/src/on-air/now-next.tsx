import { useServerNow } from '../shared/server-time.ts'
import { timeLeft, utcMinute, utcMoment } from '../shared/times.ts'
import type { OnAirNow } from '../shared/wire-types.ts'
import classes from './now-next.module.css'

interface NowNextProps {
  readonly channelTitle: string
  readonly onAir: OnAirNow | undefined
}

/** What is on, how long it lasts, and what follows. */
export function NowNext({ channelTitle, onAir }: NowNextProps) {
  const nowMs = useServerNow()
  if (onAir === undefined) return <p className={classes['list']}>Loading…</p>
  const { program, next } = onAir
  // Of the programs, only an override has no end; the status of the channel changes before it is on air.
  const isOverridden = program !== null && program.end_time === null
  const endMs = program?.end_time == null ? undefined : Date.parse(program.end_time)
  return (
    <dl className={classes['list']}>
      <dt>Now</dt>
      <dd className={classes['title']} title={nowText(onAir, channelTitle, isOverridden)}>
        {nowText(onAir, channelTitle, isOverridden)}
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

/** A rescue slate has the title of its channel. A live source has its own, also while a slate stands in for it. */
function nowText({ program, component }: OnAirNow, channelTitle: string, isOverridden: boolean): string {
  if (program !== null) return isOverridden && program.title === channelTitle ? 'Rescue slate' : program.title
  return component === null
    ? 'Nothing scheduled'
    : `No program: ${fillNames[component.type] ?? component.title ?? ''}`
}

const fillNames: Readonly<Record<string, string>> = { SLATE: 'slate', TIME_FILL: 'time fill' }

const FAR_MS = 20 * 3_600_000

const startText = (startMs: number, nowMs: number): string =>
  startMs - nowMs > FAR_MS ? utcMoment(startMs, nowMs) : `${utcMinute(startMs)} UTC`
