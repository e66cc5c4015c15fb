import { Button, Checkbox } from '@mantine/core'
import { Link } from '../shared/router.tsx'
import { StatusBadge } from '../shared/status-badge.tsx'
import { readableTimes } from '../shared/times.ts'
import type { Alert, Channel } from '../shared/wire-types.ts'
import { severityTones, worstFirst } from './alert-severity.ts'
import { ChannelStatus, SwitchCountdown } from './channel-status.tsx'
import classes from './channel-tile.module.css'
import { NowNext } from './now-next.tsx'
import { useOnAirNow } from './on-air-queries.ts'
import { NoPicture, Picture } from './picture.tsx'
import { Player } from './player.tsx'
import { Viewers } from './viewers.tsx'

interface ChannelTileProps {
  readonly channel: Channel
  readonly nowMs: number
  /** Its open alerts. */
  readonly alerts: readonly Alert[]
  readonly isSelected: boolean
  readonly isPlaying: boolean
  readonly onSelect: () => void
  readonly onPlay: () => void
}

export function ChannelTile({
  channel,
  nowMs,
  alerts,
  isSelected,
  isPlaying,
  onSelect,
  onPlay,
}: ChannelTileProps) {
  const { linear_channel_id: id, title, status } = channel
  const isServed = status === 'ON_AIR' || status === 'PENDING_OFFLINE'
  const onAir = useOnAirNow(id, isServed)
  return (
    <li
      className={classes['tile']}
      data-channel={id}
      data-selected={isSelected || undefined}
      data-overridden={channel.linear_channel_override_status === 'OVERRIDDEN' || undefined}
    >
      <div className={classes['head']}>
        <Checkbox aria-label={`Select ${title}`} checked={isSelected} onChange={onSelect} size="md" />
        <Link to={`/on-air/${id}`} className={classes['title']} title={title}>
          {title}
        </Link>
        <ChannelStatus channel={channel} />
      </div>
      {!isServed ? (
        <NoPicture text="Not on air" />
      ) : isPlaying ? (
        <Player channelId={id} title={title} />
      ) : (
        <Picture channelId={id} title={title} nowMs={nowMs} />
      )}
      <SwitchCountdown channelId={id} />
      <div className={classes['foot']}>
        {isServed && <NowNext channelTitle={title} onAir={onAir} nowMs={nowMs} />}
        {!isServed && <p className={classes['hint']}>Viewers get no stream.</p>}
        {alerts.length > 0 && <WorstAlert alerts={alerts} nowMs={nowMs} />}
        {isServed && (
          <div className={classes['last']}>
            <Button
              size="compact-xs"
              variant="default"
              onClick={onPlay}
              aria-label={`${isPlaying ? 'Stop' : 'Play'} video of ${title}`}
            >
              {isPlaying ? 'Stop video' : 'Play video'}
            </Button>
            <Viewers channelId={id} />
          </div>
        )}
      </div>
    </li>
  )
}

function WorstAlert({ alerts, nowMs }: Pick<ChannelTileProps, 'alerts' | 'nowMs'>) {
  const worst = worstFirst(alerts)[0]!
  const message = readableTimes(worst.message, nowMs)
  return (
    <div className={classes['alert']}>
      <p>
        <StatusBadge text={worst.severity} tone={severityTones[worst.severity]} />
        {alerts.length > 1 && <span className={classes['hint']}> and {alerts.length - 1} more</span>}
      </p>
      <p className={classes['message']} title={message}>
        {message}
      </p>
    </div>
  )
}
