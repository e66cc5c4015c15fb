import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { CopyField } from '../shared/copy-field.tsx'
import { PageState } from '../shared/page-state.tsx'
import { outputAddress } from '../shared/playout-address.ts'
import { Link } from '../shared/router.tsx'
import { useServerNow } from '../shared/server-time.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import { readableTimes, utcMoment } from '../shared/times.ts'
import type { AuditEntry } from '../shared/wire-types.ts'
import { AlertList } from './alert-list.tsx'
import classes from './channel-page.module.css'
import { useChannels, useHistory, useOpenAlerts, useUserNames } from './channel-queries.ts'
import { ChannelStatus, SwitchCountdown } from './channel-status.tsx'
import { NowNext } from './now-next.tsx'
import { useOnAirNow, useUpcoming } from './on-air-queries.ts'
import { NoPicture } from './picture.tsx'
import { Player } from './player.tsx'
import { ProgramBar } from './program-bar.tsx'
import { StartStop } from './start-stop.tsx'
import { SwitchButtons, SwitchReasons } from './switch-buttons.tsx'
import { SwitchDialog } from './switch-dialog.tsx'
import type { SwitchKind } from './switch-rules.ts'
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

/** The next programs of a channel, with what is wrong with them. */
function Upcoming({ channelId, nowMs }: { channelId: string; nowMs: number }) {
  const programs = useUpcoming(channelId)
  return (
    <section aria-label="Next programs">
      <h2>Next programs</h2>
      {programs === undefined && <p className={classes['hint']}>Loading…</p>}
      {programs?.length === 0 && (
        <p className={classes['hint']}>
          Nothing is scheduled in the next 24 hours. On air, the channel shows its fillers or its rescue
          slate.
        </p>
      )}
      <ol className={classes['list']}>
        {programs?.map(({ program_id, title, start_time, state, warnings }) => (
          <li key={`${program_id} ${start_time}`}>
            <time dateTime={start_time}>{utcMoment(Date.parse(start_time), nowMs)}</time>
            <span>
              {title} {state === 'FAILED' && <StatusBadge text={state} tone="bad" />}
              {warnings.map(({ code, message }) => (
                <span key={code} className={classes['warning']}>
                  {readableTimes(message, nowMs)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Who did what to the channel last. */
function History({ channelId }: { channelId: string }) {
  const entries = useHistory(channelId)
  const names = useUserNames()
  const nowMs = useServerNow()
  const lines = entries?.flatMap((entry) => {
    const what = historyText(entry)
    const who = entry.user_id === null ? 'The platform' : (names.get(entry.user_id) ?? 'A former user')
    return what === undefined ? [] : [{ id: entry.audit_id, at: entry.at, text: `${who} ${what}` }]
  })
  return (
    <section aria-label="Who did what last">
      <h2>Who did what last</h2>
      {lines === undefined && <p className={classes['hint']}>Administrators see who did what.</p>}
      {lines?.length === 0 && <p className={classes['hint']}>Nothing has been done to this channel yet.</p>}
      <ol className={classes['list']}>
        {lines?.map(({ id, at, text }) => (
          <li key={id}>
            <time dateTime={at}>{utcMoment(Date.parse(at), nowMs)}</time>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const words: Readonly<Record<string, string>> = {
  'channel.rescue': 'put it on its rescue slate',
  'channel.return': 'returned it to its schedule',
  'channel.create': 'created it',
  'output.create': 'added an output',
  'output.change': 'changed an output',
  'output.delete': 'removed an output',
}

/** A line of text for an entry; undefined if it repeats another. */
function historyText({ action, before, after }: AuditEntry): string | undefined {
  if (action === 'channel.override') return `cut it to ${textIn(after, 'title') ?? 'a live source'}`
  if (action !== 'channel.change') return words[action] ?? action
  const status = textIn(after, 'status')
  if (status !== undefined && status !== textIn(before, 'status')) return `set it to ${status}`
  const isOverride = textIn(before, OVERRIDE) !== textIn(after, OVERRIDE)
  return isOverride ? undefined : 'changed its settings'
}

/** Each change of it has an entry of its own: channel.override, channel.rescue or channel.return. */
const OVERRIDE = 'linear_channel_override_status'

function textIn(record: unknown, field: string): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const value = (record as Readonly<Record<string, unknown>>)[field]
  return typeof value === 'string' ? value : undefined
}
