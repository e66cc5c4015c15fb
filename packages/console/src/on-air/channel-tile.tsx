import { Button, Checkbox } from '@mantine/core'
import { memo } from 'react'
import { Link } from '../shared/router.tsx'
import { useServerNow } from '../shared/server-time.ts'
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
  /** Its open alerts. */
  readonly alerts: readonly Alert[]
  readonly isSelected: boolean
  readonly isPlaying: boolean
  readonly onSelect: (channelId: string) => void
  readonly onPlay: (channelId: string) => void
}

/** A channel of the wall. Drawn again only if something in it changes: a wall has many. */
export const ChannelTile = memo(function ChannelTile(props: ChannelTileProps) {
  const { channel, alerts, isSelected, isPlaying, onSelect, onPlay } = props
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
        <Checkbox
          aria-label={`Select ${title}`}
          checked={isSelected}
          onChange={() => onSelect(id)}
          size="md"
        />
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
        <Picture channelId={id} title={title} />
      )}
      <SwitchCountdown channelId={id} />
      <div className={classes['foot']}>
        {isServed && <NowNext channelTitle={title} onAir={onAir} />}
        {!isServed && <p className={classes['hint']}>Viewers get no stream.</p>}
        {alerts.length > 0 && <WorstAlert alerts={alerts} />}
        {isServed && (
          <div className={classes['last']}>
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => onPlay(id)}
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
})

function WorstAlert({ alerts }: Pick<ChannelTileProps, 'alerts'>) {
  const worst = worstFirst(alerts)[0]!
  const message = readableTimes(worst.message, useServerNow())
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
