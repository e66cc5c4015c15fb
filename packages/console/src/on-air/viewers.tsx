import { utcMinute } from '../shared/times.ts'
import { useAudience } from './on-air-queries.ts'
import classes from './viewers.module.css'

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })

/** The viewers of a channel, on average over the last minute that is counted. */
export function Viewers({ channelId }: { channelId: string }) {
  const audience = useAudience()
  if (audience === undefined) return null
  // Channels without viewers are left out of the answer.
  const count =
    audience.channels.find(({ linear_channel_id }) => linear_channel_id === channelId)?.viewers ?? 0
  return (
    <span
      className={classes['viewers']}
      title={`In the minute from ${utcMinute(Date.parse(audience.minute))} UTC`}
    >
      {whole.format(count)} {Math.round(count) === 1 ? 'viewer' : 'viewers'}
    </span>
  )
}
