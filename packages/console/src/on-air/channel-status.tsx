import { useServerNow } from '../shared/server-time.ts'
import { StatusBadge, type Tone } from '../shared/status-badge.tsx'
import { timeLeft } from '../shared/times.ts'
import type { Channel } from '../shared/wire-types.ts'
import { usePendingSwitch } from './channel-queries.ts'
import classes from './channel-status.module.css'

const tones: Readonly<Record<Channel['status'], Tone>> = {
  ON_AIR: 'good',
  PENDING_ON_AIR: 'busy',
  PENDING_OFFLINE: 'warning',
  OFFLINE: 'quiet',
  ERROR: 'bad',
}

/** The status in the words of the interface; never by colour alone. */
export function ChannelStatus({ channel }: { channel: Channel }) {
  const { status, linear_channel_override_status: override } = channel
  // A channel that is overridden is ON_AIR, and its name needs the room.
  return override === 'OVERRIDDEN' ? (
    <StatusBadge text="OVERRIDDEN" tone="bad" />
  ) : (
    <StatusBadge text={status} tone={tones[status]} />
  )
}

const shownWords = { live: 'live source', slate: 'rescue slate', return: 'schedule' } as const

/** The countdown to a switch that any operator has made; nothing once it is on air. */
export function SwitchCountdown({ channelId }: { channelId: string }) {
  const nowMs = useServerNow()
  const pending = usePendingSwitch(channelId)
  if (pending === null || pending.onAirMs <= nowMs) return null
  return (
    <p className={classes['countdown']}>
      To {shownWords[pending.kind]} in <strong>{timeLeft(pending.onAirMs - nowMs)}</strong>
    </p>
  )
}
