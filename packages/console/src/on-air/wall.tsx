import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useCallback, useMemo, useState } from 'react'
import { useMayCall } from '../session/may-call.ts'
import { KeysHelp } from '../shared/keys-help.tsx'
import { PageState } from '../shared/page-state.tsx'
import { Link, navigate, useAddress } from '../shared/router.tsx'
import type { Channel, Alert as OpenAlert } from '../shared/wire-types.ts'
import { AddChannel } from './add-channel.tsx'
import { AlertList } from './alert-list.tsx'
import { NO_ALERTS, useChannels, useOpenAlerts } from './channel-queries.ts'
import { ChannelTile } from './channel-tile.tsx'
import { FirstChannel } from './first-channel.tsx'
import { SwitchButtons } from './switch-buttons.tsx'
import { SwitchDialog } from './switch-dialog.tsx'
import type { SwitchKind } from './switch-rules.ts'
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
