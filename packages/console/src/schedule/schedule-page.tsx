import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useChannels, useOpenAlerts } from '../on-air/channel-queries.ts'
import { useMayCall } from '../session/may-call.ts'
import { KeysHelp } from '../shared/keys-help.tsx'
import { PageState } from '../shared/page-state.tsx'
import { Link, navigate, useAddress } from '../shared/router.tsx'
import { serverNowMs } from '../shared/server-time.ts'
import { LOCAL_ZONE } from '../shared/times.ts'
import type { Alert, Channel, Program } from '../shared/wire-types.ts'
import { gridKeys } from './grid-keys.ts'
import { snap } from './grid-scale.ts'
import { ChangeProgramDialog, NewProgramDialog } from './program-dialog.tsx'
import { GapPanel, ProgramPanel } from './program-panel.tsx'
import { reasonAgainstChange } from './program-words.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { type Cell, keyOf } from './row-cells.ts'
import classes from './schedule-page.module.css'
import { type GridHandle, TimeGrid } from './time-grid.tsx'
import { createZoneClock } from './zone-clock.ts'

const DAYS_BACK = 1
const DAYS_AHEAD = 7

/** Width of an hour, by how much of a day is to be seen on a usual screen. */
const zooms = [
  { value: '3', label: '3 h', hourWidth: 320 },
  { value: '6', label: '6 h', hourWidth: 170 },
  { value: '12', label: '12 h', hourWidth: 86 },
  { value: '24', label: '24 h', hourWidth: 44 },
] as const

type Open = { readonly channel: Channel; readonly cell: Cell }
type Dialog =
  | {
      readonly kind: 'new'
      readonly channel: Channel | undefined
      readonly startMs: number
      readonly endMs: number | undefined
    }
  | {
      readonly kind: 'change'
      readonly channel: Channel
      readonly program: Program
      readonly startMs: number
    }
  | { readonly kind: 'remove'; readonly channel: Channel; readonly program: Program }

/** The schedules of all channels by time. */
export function SchedulePage() {
  const { data: channels, error } = useChannels()
  const alerts = useOpenAlerts()
  const mayCall = useMayCall()
  const { query } = useAddress()
  const name = query.get('name') ?? ''
  const zone = query.get('zone') === 'local' ? LOCAL_ZONE : 'UTC'
  const zoom = zooms.find(({ value }) => value === query.get('hours')) ?? zooms[1]
  const handle = useRef<GridHandle>(null)
  const [open, setOpen] = useState<Open>()
  const [dialog, setDialog] = useState<Dialog>()
  const today = useToday(zone)
  const clock = useMemo(() => createZoneClock(zone, today), [zone, today])
  const scale = useMemo(
    () => ({
      startMs: clock.dayStart(today, -DAYS_BACK),
      endMs: clock.dayStart(today, DAYS_AHEAD + 1),
      hourWidth: zoom.hourWidth,
    }),
    [clock, today, zoom],
  )
  const ends = useMemo(() => scheduleEnds(alerts), [alerts])

  if (channels === undefined) return <PageState title="Schedule" error={error} />
  const shown = channels.filter(({ title }) => title.toLowerCase().includes(name.trim().toLowerCase()))
  const mayCreate = mayCall('createProgram')
  const close = () => {
    setOpen(undefined)
    handle.current?.focus()
  }
  const nextStart = () => snap(serverNowMs() + 10 * 60_000)
  return (
    <div className={classes['page']}>
      <div className={classes['tools']}>
        <h1>Schedule</h1>
        <div className={classes['days']}>
          <Button variant="default" size="sm" onClick={() => handle.current?.showTime(serverNowMs())}>
            Now
          </Button>
          <NativeSelect
            aria-label="Day"
            value=""
            onChange={(event) => handle.current?.showTime(Number(event.currentTarget.value))}
            data={[
              { value: '', label: 'Day…' },
              ...Array.from({ length: DAYS_BACK + DAYS_AHEAD + 1 }, (_, at) => {
                const ms = clock.dayStart(today, at - DAYS_BACK)
                const word = { [-1]: 'Yesterday, ', 0: 'Today, ', 1: 'Tomorrow, ' }[at - DAYS_BACK] ?? ''
                return { value: String(ms), label: word + clock.date(ms) }
              }),
            ]}
          />
        </div>
        <SegmentedControl
          aria-label="Hours in sight"
          size="sm"
          data={zooms.map(({ value, label }) => ({ value, label }))}
          value={zoom.value}
          onChange={(value) => setQuery(query, 'hours', value === '6' ? '' : value)}
        />
        {LOCAL_ZONE !== 'UTC' && (
          <SegmentedControl
            aria-label="Time zone"
            size="sm"
            data={[
              { value: '', label: 'UTC' },
              { value: 'local', label: LOCAL_ZONE.replaceAll('_', ' ') },
            ]}
            value={zone === 'UTC' ? '' : 'local'}
            onChange={(value) => setQuery(query, 'zone', value)}
          />
        )}
        <TextInput
          className={classes['filter']}
          aria-label="Filter by channel"
          placeholder="Filter by channel"
          value={name}
          onChange={(event) => setQuery(query, 'name', event.currentTarget.value)}
        />
        {mayCreate && channels.length > 0 && (
          <Button
            size="sm"
            onClick={() =>
              setDialog({ kind: 'new', channel: open?.channel, startMs: nextStart(), endMs: undefined })
            }
          >
            New program
          </Button>
        )}
        <KeysHelp title="Keys and mouse on the schedule" keys={gridKeys}>
          <p className={classes['hint']}>
            With the mouse: drag a program to another time, or draw a new one over time without a program. A
            dialog follows; nothing is sent before you confirm it.
          </p>
        </KeysHelp>
      </div>
      {shown.length === 0 ? (
        <NoChannels isFiltered={channels.length > 0} />
      ) : (
        <div className={classes['body']} data-open={open === undefined ? undefined : true}>
          <div className={classes['grid']}>
            <TimeGrid
              handle={handle}
              channels={shown}
              scale={scale}
              clock={clock}
              ends={ends}
              selectedKey={open?.cell.kind === 'program' ? keyOf(open.cell.program) : undefined}
              mayMove={(program) =>
                mayCall('replaceProgram') && reasonAgainstChange(program, serverNowMs()) === undefined
              }
              mayCreate={mayCreate}
              onOpen={(channel, cell) => {
                if (cell.kind === 'program' || cell.kind === 'gap') setOpen({ channel, cell })
              }}
              onMove={(channel, program, startMs) => setDialog({ kind: 'change', channel, program, startMs })}
              onCreate={(channel, startMs, endMs) => setDialog({ kind: 'new', channel, startMs, endMs })}
            />
          </div>
          {open?.cell.kind === 'program' && (
            <ProgramPanel
              key={keyOf(open.cell.program)}
              channel={open.channel}
              program={open.cell.program}
              clock={clock}
              onClose={close}
              onChange={() => {
                if (open.cell.kind !== 'program') return
                setDialog({
                  kind: 'change',
                  channel: open.channel,
                  program: open.cell.program,
                  startMs: open.cell.startMs,
                })
              }}
              onRemove={() => {
                if (open.cell.kind === 'program') {
                  setDialog({ kind: 'remove', channel: open.channel, program: open.cell.program })
                }
              }}
            />
          )}
          {open?.cell.kind === 'gap' && (
            <GapPanel
              channel={open.channel}
              startMs={open.cell.startMs}
              endMs={open.cell.endMs}
              clock={clock}
              mayCreate={mayCreate}
              onClose={close}
              onCreate={() =>
                setDialog({
                  kind: 'new',
                  channel: open.channel,
                  startMs: Math.max(open.cell.startMs, nextStart()),
                  endMs: undefined,
                })
              }
            />
          )}
        </div>
      )}
      {dialog?.kind === 'new' && (
        <NewProgramDialog
          {...dialog}
          channels={channels}
          clock={clock}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog?.kind === 'change' && (
        <ChangeProgramDialog
          {...dialog}
          clock={clock}
          onClose={() => {
            setDialog(undefined)
            // It may have another time, or other items.
            setOpen(undefined)
            handle.current?.focus()
          }}
        />
      )}
      {dialog?.kind === 'remove' && (
        <RemoveDialog
          {...dialog}
          clock={clock}
          onClose={() => setDialog(undefined)}
          onRemoved={() => {
            setDialog(undefined)
            close()
          }}
        />
      )}
    </div>
  )
}

/** The beginning of the present day in a zone; another day is noticed within a minute. */
function useToday(zone: string): number {
  const read = () => {
    const nowMs = serverNowMs()
    return createZoneClock(zone, nowMs).dayStart(nowMs)
  }
  const [today, setToday] = useState(read)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads nothing but the zone.
  useEffect(() => {
    setToday(read())
    const timer = setInterval(() => setToday(read()), 60_000)
    return () => clearInterval(timer)
  }, [zone])
  return today
}

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/

/** By channel, when a schedule ends that ends within a day: the service opens an alert that is critical then. */
function scheduleEnds(alerts: readonly Alert[]): ReadonlyMap<string, number | null> {
  return new Map(
    alerts
      .filter(({ code, severity }) => code === 'schedule.ending' && severity === 'CRITICAL')
      .map(({ subject_id, message }) => {
        const time = ISO_TIME.exec(message)?.[0]
        return [subject_id, time === undefined ? null : Date.parse(time)]
      }),
  )
}

function NoChannels({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <p className={classes['hint']}>
        No channel matches. <Link to="/schedule">Show all channels</Link>
      </p>
    )
  }
  return (
    <p className={classes['hint']}>
      This account has no channels yet, and so no schedule. An administrator creates them with{' '}
      <code>continuity channels create --title</code> or <code>POST /linear_channels</code> (
      <a href="/docs">reference of the API</a>). A new channel appears here by itself.
    </p>
  )
}

/** The address holds what is shown, so that it can be shared and survives a reload. */
function setQuery(query: URLSearchParams, name: string, value: string): void {
  const next = new URLSearchParams(query)
  if (value === '') next.delete(name)
  else next.set(name, value)
  navigate(`/schedule${next.size === 0 ? '' : `?${next}`}`, { replace: true })
}
