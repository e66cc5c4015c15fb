import { useLiveSources } from '../live-sources/live-source-query.ts'
import { timeLeft, utcMinute, utcMoment } from '../shared/times.ts'
import type { Channel } from '../shared/wire-types.ts'
import { usePendingSwitch } from './channel-queries.ts'
import { type Airing, onNow } from './guide.ts'
import classes from './now-next.module.css'

interface NowNextProps {
  readonly channel: Channel
  readonly airings: readonly Airing[] | undefined
  readonly nowMs: number
}

/** What is on, how long it lasts, and what follows. */
export function NowNext({ channel, airings, nowMs }: NowNextProps) {
  const override = useOverrideTitle(channel, nowMs)
  if (airings === undefined) return <p className={classes['list']}>Reading the guide…</p>
  const isOverridden = channel.linear_channel_override_status === 'OVERRIDDEN'
  const { now, next } = onNow(airings, nowMs)
  return (
    <dl className={classes['list']}>
      <dt>Now</dt>
      <dd className={classes['title']}>{override ?? nowText(channel, now, isOverridden)}</dd>
      <dd className={classes['time']}>
        {/* The guide estimates the end of an override; in truth it lasts until someone returns. */}
        {isOverridden ? 'until returned' : now === undefined ? '' : `${timeLeft(now.endMs - nowMs)} left`}
      </dd>
      <dt>Next</dt>
      <dd className={classes['title']}>{next?.title ?? 'Nothing scheduled'}</dd>
      <dd className={classes['time']}>{next === undefined ? '' : startText(next, nowMs)}</dd>
    </dl>
  )
}

/**
 * What overrides the channel, if an event has reported it since the console was opened. The guide follows by the minute,
 * and estimates the end of an override.
 */
function useOverrideTitle(channel: Channel, nowMs: number): string | undefined {
  const last = usePendingSwitch(channel.linear_channel_id)
  const sources = useLiveSources().data ?? []
  const isOn =
    channel.linear_channel_override_status === 'OVERRIDDEN' && last !== null && last.onAirMs <= nowMs
  if (!isOn) return undefined
  if (last.kind === 'slate') return 'Rescue slate'
  return sources.find(({ live_source_id }) => live_source_id === last.liveSourceId)?.name
}

/** On its rescue slate a channel has its own title in the guide. */
function nowText({ title }: Channel, now: Airing | undefined, isOverridden: boolean): string {
  if (now === undefined) return 'Nothing scheduled'
  return isOverridden && now.title === title ? 'Rescue slate' : now.title
}

const FAR_MS = 20 * 3_600_000

const startText = ({ startMs }: Airing, nowMs: number): string =>
  startMs - nowMs > FAR_MS ? utcMoment(startMs, nowMs) : `${utcMinute(startMs)} UTC`
