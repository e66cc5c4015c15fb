import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { CopyField } from '../shared/copy-field.tsx'
import { PageState } from '../shared/page-state.tsx'
import { outputAddress } from '../shared/playout-address.ts'
import { Link } from '../shared/router.tsx'
import { useServerNow } from '../shared/server-time.ts'
import { AlertList } from './alert-list.tsx'
import classes from './channel-page.module.css'
import { useChannels, useOpenAlerts } from './channel-queries.ts'
import { ChannelStatus, SwitchCountdown } from './channel-status.tsx'
import { History } from './history.tsx'
import { NowNext } from './now-next.tsx'
import { useOnAirNow } from './on-air-queries.ts'
import { NoPicture } from './picture.tsx'
import { Player } from './player.tsx'
import { ProgramBar } from './program-bar.tsx'
import { StartStop } from './start-stop.tsx'
import { SwitchButtons, SwitchReasons } from './switch-buttons.tsx'
import { SwitchDialog } from './switch-dialog.tsx'
import type { SwitchKind } from './switch-rules.ts'
import { Upcoming } from './upcoming.tsx'
import { Viewers } from './viewers.tsx'

const keysOf: Readonly<Record<string, SwitchKind>> = { l: 'live', s: 'slate', r: 'return' }

/** One channel: what its viewers see, what comes, and what can be done about it. */
export function ChannelPage({ channelId }: { channelId: string }) {
  const { data: channels, error } = useChannels()
  const alerts = useOpenAlerts()
  const nowMs = useServerNow()
  const [kind, setKind] = useState<SwitchKind>()
  const channel = channels?.find(({ linear_channel_id }) => linear_channel_id === channelId)
  const isServed = channel?.status === 'ON_AIR' || channel?.status === 'PENDING_OFFLINE'
  const onAir = useOnAirNow(channelId, isServed)

  if (channels === undefined) return <PageState title="Channel" error={error} />
  if (channel === undefined) {
    return (
      <>
        <h1>There is no such channel</h1>
        <Link to="/on-air">All channels</Link>
      </>
    )
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isTyped = event.ctrlKey || event.metaKey || event.altKey || kind !== undefined
    // Keys of a dialog arrive here too, although it is outside of the page.
    const isHere = event.currentTarget.contains(event.target as Node)
    const wanted = keysOf[event.key.toLowerCase()]
    if (!isTyped && isHere && wanted !== undefined) setKind(wanted)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for the buttons inside, which work without them.
    <div onKeyDown={onKeyDown}>
      <p className={classes['back']}>
        <Link to="/on-air">All channels</Link>
      </p>
      <div className={classes['head']}>
        <FocusedHeading key={channelId} text={channel.title} />
        <ChannelStatus channel={channel} />
        {isServed && <Viewers channelId={channelId} />}
      </div>
      <AlertList alerts={alerts.filter(({ subject_id }) => subject_id === channelId)} />
      <div className={classes['columns']}>
        <div className={classes['picture']}>
          {isServed ? (
            <Player channelId={channelId} title={channel.title} hasControls />
          ) : (
            <NoPicture text="Not on air: viewers get no stream" />
          )}
          <SwitchCountdown channelId={channelId} />
          {isServed && <NowNext channelTitle={channel.title} onAir={onAir} />}
          {isServed && <ProgramBar channelId={channelId} nowMs={nowMs} />}
        </div>
        <div className={classes['side']}>
          <section aria-label="Actions" className={classes['actions']}>
            <h2>Actions</h2>
            <SwitchButtons channels={[channel]} onOpen={setKind} size="md" />
            <StartStop channel={channel} />
            <SwitchReasons channel={channel} className={classes['hint']} />
            <p className={classes['hint']}>
              Keys <kbd>L</kbd>, <kbd>S</kbd> and <kbd>R</kbd>. Nothing is sent before you confirm it.
            </p>
          </section>
          <Upcoming channelId={channelId} nowMs={nowMs} />
          <History channelId={channelId} />
        </div>
        <Addresses channelId={channelId} />
      </div>
      {kind !== undefined && (
        <SwitchDialog kind={kind} channels={[channel]} onClose={() => setKind(undefined)} />
      )}
    </div>
  )
}

/** For a player, and for services that read the guide. */
function Addresses({ channelId }: { channelId: string }) {
  return (
    <section aria-label="Addresses" className={classes['addresses']}>
      <CopyField label="Stream" value={outputAddress(channelId, 'index.m3u8')} />
      <CopyField label="Guide" value={outputAddress(channelId, 'epg.xml')} />
      <p className={classes['hint']}>
        Distributors have <Link to={`/access/outputs?channel=${encodeURIComponent(channelId)}`}>outputs</Link>{' '}
        of their own.
      </p>
    </section>
  )
}

/** Has the focus when the page opens, so that a screen reader begins there and keys act on the channel. */
function FocusedHeading({ text }: { text: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {text}
    </h1>
  )
}
