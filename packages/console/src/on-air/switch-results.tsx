import { useServerNow } from '../shared/server-time.ts'
import { timeLeft, utcTime } from '../shared/times.ts'
import type { Channel } from '../shared/wire-types.ts'
import classes from './switch-dialog.module.css'
import type { SwitchKind } from './switch-rules.ts'
import { failureWords } from './switch-words.ts'
import type { SwitchResult } from './use-switch.ts'

interface SwitchResultsProps {
  readonly kind: SwitchKind
  readonly results: readonly SwitchResult[]
  readonly channels: readonly Channel[]
  readonly sourceName: string | undefined
}

/** What became of each channel, with a countdown until its first segment is published. */
export function SwitchResults({ kind, results, channels, sourceName }: SwitchResultsProps) {
  const nowMs = useServerNow()
  const shown = { live: sourceName ?? 'the live source', slate: 'the rescue slate', return: 'the schedule' }[
    kind
  ]
  const failed = results.filter(({ code }) => code !== undefined).length
  return (
    <>
      <p role="status">
        {failed === 0
          ? `${channelsOf(results.length)} switched to ${shown}.`
          : `${results.length - failed} of ${channelsOf(results.length)} switched to ${shown}, ${failed} not.`}
      </p>
      <table className={classes['results']}>
        <thead>
          <tr>
            <th scope="col">Channel</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ channelId, onAirMs, code, message }) => (
            <tr key={channelId} data-failed={code !== undefined || undefined}>
              <th scope="row">
                {channels.find((one) => one.linear_channel_id === channelId)?.title ?? channelId}
              </th>
              <td>{code === undefined ? switchText(onAirMs, nowMs) : (failureWords[code] ?? message)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const channelsOf = (count: number): string => (count === 1 ? '1 channel' : `${count} channels`)

export function switchText(onAirMs: number | undefined, nowMs: number): string {
  if (onAirMs === undefined) return 'Nothing to change'
  return onAirMs > nowMs
    ? `Switches in ${timeLeft(onAirMs - nowMs)}, at ${utcTime(onAirMs)} UTC`
    : `On air since ${utcTime(onAirMs)} UTC`
}
