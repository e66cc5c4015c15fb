import { Alert, Button, Checkbox, SegmentedControl, TextInput } from '@mantine/core'
import { type FormEvent, useCallback, useMemo, useState } from 'react'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { FormDialog } from '../shared/form-dialog.tsx'
import { KeysHelp } from '../shared/keys-help.tsx'
import { PageState } from '../shared/page-state.tsx'
import { commandProblemText } from '../shared/problem-text.ts'
import { Link, navigate, useAddress } from '../shared/router.tsx'
import type { Channel, Alert as OpenAlert } from '../shared/wire-types.ts'
import { AlertList } from './alert-list.tsx'
import { NO_ALERTS, useChannels, useOpenAlerts } from './channel-queries.ts'
import { ChannelTile } from './channel-tile.tsx'
import { SwitchButtons } from './switch-buttons.tsx'
import { SwitchDialog } from './switch-dialog.tsx'
import type { SwitchKind } from './switch-rules.ts'
import { useCreateChannel } from './use-create-channel.ts'
import classes from './wall.module.css'
import { handleWallKey, wallKeys } from './wall-keys.ts'

/** Video costs the computer much more than pictures do. */
const PLAYING_MAXIMUM = 4

const filters = ['All', 'ON_AIR', 'OVERRIDDEN', 'Alerts'] as const
type Filter = (typeof filters)[number]

const filterWords: Readonly<Record<Filter, string>> = {
  All: 'All',
  ON_AIR: 'On air',
  OVERRIDDEN: 'Overridden',
  Alerts: 'With alerts',
}

export function Wall() {
  const { data: channels, error } = useChannels()
  const alerts = useOpenAlerts()
  const { query } = useAddress()
  const filter = filters.find((one) => one === query.get('show')) ?? 'All'
  const name = query.get('name') ?? ''
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [playing, setPlaying] = useState<readonly string[]>([])
  const [dialog, setDialog] = useState<{ kind: SwitchKind; channels: readonly Channel[] }>()
  const [isAdding, setIsAdding] = useState(false)
  const mayAdd = useMayCall()('createLinearChannel')
  // The same ones each time, so that a tile is drawn only if something in it changes.
  const alertsOf = useMemo(() => Map.groupBy(alerts, ({ subject_id }) => subject_id), [alerts])
  const toggleSelected = useCallback(
    (id: string) =>
      setSelected((was) =>
        was.has(id) ? new Set([...was].filter((one) => one !== id)) : new Set([...was, id]),
      ),
    [],
  )
  // A fifth one stops the one that plays the longest.
  const togglePlaying = useCallback(
    (id: string) =>
      setPlaying((was) =>
        was.includes(id) ? was.filter((one) => one !== id) : [...was, id].slice(-PLAYING_MAXIMUM),
      ),
    [],
  )

  if (channels === undefined) return <PageState title="On air" error={error} />
  const nameOf = (id: string) => channels.find(({ linear_channel_id }) => linear_channel_id === id)?.title
  const shown = channels.filter((channel) => isShown(channel, filter, name, alerts))
  const chosen = channels.filter(({ linear_channel_id }) => selected.has(linear_channel_id))

  const openSwitch = (kind: SwitchKind, focusedId?: string) => {
    const focused = channels.filter(({ linear_channel_id }) => linear_channel_id === focusedId)
    const subjects = chosen.length > 0 ? chosen : focused
    if (subjects.length > 0) setDialog({ kind, channels: subjects })
  }
  const selectNone = () => setSelected(new Set())
  const selectAll = () => setSelected(new Set(shown.map(({ linear_channel_id }) => linear_channel_id)))

  return (
    <>
      <div className={classes['tools']}>
        <h1>On air</h1>
        <SegmentedControl
          className={classes['filters']}
          aria-label="Channels to show"
          data={filters.map((value) => ({
            value,
            label: `${filterWords[value]} ${countOf(channels, value, alerts)}`,
          }))}
          value={filter}
          onChange={(value) => setQuery(query, 'show', value === 'All' ? '' : value)}
        />
        <TextInput
          aria-label="Filter by name"
          placeholder="Filter by name"
          value={name}
          onChange={(event) => setQuery(query, 'name', event.currentTarget.value)}
        />
        <KeysHelp title="Keys on the wall of channels" keys={wallKeys} size="xs" />
        {channels.length > 0 && mayAdd && (
          <Button size="xs" variant="default" onClick={() => setIsAdding(true)}>
            Add a channel
          </Button>
        )}
      </div>
      <AlertList alerts={alerts} nameOf={nameOf} />
      {channels.length > 0 && (
        <section className={classes['bulk']} aria-label="Selected channels">
          <span role="status">
            {chosen.length === 0 ? 'No channel selected' : `${chosen.length} selected`}
          </span>
          <SwitchButtons channels={chosen} onOpen={openSwitch} />
          <Button size="xs" variant="subtle" onClick={chosen.length > 0 ? selectNone : selectAll}>
            {chosen.length > 0 ? 'Deselect all' : 'Select all'}
          </Button>
        </section>
      )}
      {shown.length === 0 && (channels.length > 0 ? <NoMatch /> : <FirstChannel />)}
      <ul
        className={classes['wall']}
        aria-label="Channels"
        onKeyDown={(event) =>
          handleWallKey(event, { toggleSelected, togglePlaying, selectAll, selectNone, openSwitch })
        }
      >
        {shown.map((channel) => {
          const id = channel.linear_channel_id
          return (
            <ChannelTile
              key={id}
              channel={channel}
              alerts={alertsOf.get(id) ?? NO_ALERTS}
              isSelected={selected.has(id)}
              isPlaying={playing.includes(id)}
              onSelect={toggleSelected}
              onPlay={togglePlaying}
            />
          )
        })}
      </ul>
      {isAdding && <AddChannel onClose={() => setIsAdding(false)} />}
      {dialog !== undefined && <SwitchDialog {...dialog} onClose={() => setDialog(undefined)} />}
    </>
  )
}

const NoMatch = () => (
  <p className={classes['hint']}>
    No channel matches. <Link to="/on-air">Show all channels</Link>
  </p>
)

function isShown(channel: Channel, filter: Filter, name: string, alerts: readonly OpenAlert[]): boolean {
  if (!channel.title.toLowerCase().includes(name.trim().toLowerCase())) return false
  return {
    All: true,
    ON_AIR: channel.status === 'ON_AIR',
    OVERRIDDEN: channel.linear_channel_override_status === 'OVERRIDDEN',
    Alerts: alerts.some(({ subject_id }) => subject_id === channel.linear_channel_id),
  }[filter]
}

const countOf = (channels: readonly Channel[], filter: Filter, alerts: readonly OpenAlert[]): number =>
  channels.filter((channel) => isShown(channel, filter, '', alerts)).length

/** The address holds what is shown, so that it can be shared and survives a reload. */
function setQuery(query: URLSearchParams, name: string, value: string): void {
  const next = new URLSearchParams(query)
  if (value === '') next.delete(name)
  else next.set(name, value)
  navigate(`/on-air${next.size === 0 ? '' : `?${next}`}`, { replace: true })
}

function AddChannel({ onClose }: { onClose: () => void }) {
  const [title, setTitle] = useState('')
  const [isStarted, setIsStarted] = useState(true)
  const { mutate, error, isPending } = useCreateChannel()
  return (
    <FormDialog
      title="Add a channel"
      submit="Add the channel"
      onSubmit={() => mutate({ title: title.trim(), isStarted })}
      onClose={onClose}
      isSending={isPending}
      error={error}
      reason={title.trim() === '' ? 'Give it a name.' : undefined}
    >
      <TextInput
        label="Name of the channel"
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        maxLength={200}
        data-autofocus
      />
      <Checkbox
        label="Put it on the air at once"
        description="It shows slates until it has programs."
        checked={isStarted}
        onChange={(event) => setIsStarted(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}

/** What an account without channels shows instead of the wall. */
function FirstChannel() {
  const mayCall = useMayCall()
  const [title, setTitle] = useState('')
  const { mutate, error, isPending } = useCreateChannel()
  if (!mayCall('createLinearChannel') || !mayCall('startLinearChannel')) {
    return (
      <p className={classes['hint']}>
        This account has no channels yet. It takes {rolesFor('createLinearChannel')} to make one; it then
        appears here by itself.
      </p>
    )
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() !== '') mutate({ title: title.trim(), isStarted: true })
  }
  return (
    <form className={classes['first']} onSubmit={send} aria-label="First channel">
      <h2>Put a first channel on the air</h2>
      <p>It shows slates until it has programs, and is on the air as soon as they are made.</p>
      <TextInput
        label="Name of the channel"
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        maxLength={200}
        autoFocus
      />
      {error !== null && (
        <Alert color="red" role="alert">
          {commandProblemText(error)}
        </Alert>
      )}
      <Button type="submit" loading={isPending} disabled={title.trim() === ''}>
        Make and start it
      </Button>
      <p className={classes['hint']}>
        Then submit films under <Link to="/ingest">Ingest</Link>, or plan what the catalog has by rules under{' '}
        <Link to="/schedule">Schedule</Link>. All of it, step by step, is in{' '}
        <code>docs/first-channel-console.md</code>.
      </p>
    </form>
  )
}
