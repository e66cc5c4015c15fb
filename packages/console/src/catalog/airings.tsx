import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { componentNames } from '../on-air/program-bar.tsx'
import { linesOf } from '../reports/read-rows.ts'
import { stateTones, stateWords } from '../schedule/program-words.ts'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { ReadState } from '../shared/page-state.tsx'
import { keys } from '../shared/query-keys.ts'
import { Link } from '../shared/router.tsx'
import { serverNowMs } from '../shared/server-time.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import table from '../shared/table.module.css'
import { utcMoment } from '../shared/times.ts'
import type { Program } from '../shared/wire-types.ts'
import classes from './catalog.module.css'
import { countText } from './words.ts'

const DAY_MS = 86_400_000

/** A filler airs many times a day. */
const SHOWN_MAXIMUM = 100

/** What is read of a row of the report of components. */
interface Row {
  readonly linear_channel_id: string
  readonly linear_channel_name: string
  readonly program_id: string | null
  readonly program_start_time: string | null
  readonly program_title: string | null
  readonly component_type: keyof typeof componentNames
  readonly component_start_time: string
  readonly component_duration: number
}

/** A video in one program; breaks may cut it into several parts. */
export interface Airing {
  readonly channelId: string
  readonly channel: string
  readonly program: string | null
  readonly type: Row['component_type']
  readonly startMs: number
  readonly endMs: number
  readonly parts: number
}

/** Reads the components of one video on all channels, as they arrive. */
async function readAirings(body: ReadableStream<Uint8Array>): Promise<readonly Airing[]> {
  const airings = new Map<string, Airing>()
  for await (const line of linesOf(body)) {
    const row = JSON.parse(line) as Row
    const startMs = Date.parse(row.component_start_time)
    const endMs = startMs + row.component_duration * 1_000
    const key = [
      row.linear_channel_id,
      row.program_id ?? row.component_start_time,
      row.program_start_time,
      row.component_type,
    ].join(' ')
    const before = airings.get(key)
    airings.set(key, {
      channelId: row.linear_channel_id,
      channel: row.linear_channel_name,
      program: row.program_title,
      type: row.component_type,
      startMs: before?.startMs ?? startMs,
      endMs,
      parts: (before?.parts ?? 0) + 1,
    })
  }
  return [...airings.values()].toSorted((one, other) => one.startMs - other.startMs)
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function useAirings(videoId: string, days: number, isEnabled: boolean) {
  const client = useClient()
  return useQuery({
    queryKey: [...keys.airings, videoId, days],
    enabled: isEnabled,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const nowMs = serverNowMs()
      const range = { from: dayOf(nowMs - days * DAY_MS), to: dayOf(nowMs + days * DAY_MS) }
      const query = { ...range, component_reference_id: videoId }
      const body = await client.report('reportComponentSchedules', query, { format: 'ndjson', signal })
      return { airings: await readAirings(body), readMs: nowMs }
    },
  })
}

/** Where a video has aired, and where it will. */
export function Airings({ videoId }: { videoId: string }) {
  const [days, setDays] = useState(7)
  const isAllowed = useMayCall()('reportComponentSchedules')
  const { data, error } = useAirings(videoId, days, isAllowed)
  return (
    <section className={classes['airings']} aria-labelledby="airings">
      <div className={classes['heading']}>
        <h3 id="airings">Where it airs</h3>
        {isAllowed && (
          <NativeSelect
            aria-label="Days to show"
            size="xs"
            value={String(days)}
            data={[7, 30, 45].map((value) => ({
              value: String(value),
              label: `${value} days before and after today`,
            }))}
            onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
          />
        )}
      </div>
      {!isAllowed ? (
        <p className={classes['hint']}>
          Where a video airs is a report, which needs {rolesFor('reportComponentSchedules')}.
        </p>
      ) : data === undefined ? (
        <ReadState error={error} />
      ) : (
        <div className={classes['pair']}>
          <AiringTable
            title="On air and to come"
            none="It is not in the schedule."
            airings={data.airings.filter(({ endMs }) => endMs > data.readMs)}
            nowMs={data.readMs}
          />
          <AiringTable
            title="Aired"
            none="It has not aired in these days."
            airings={data.airings.filter(({ endMs }) => endMs <= data.readMs).toReversed()}
            nowMs={data.readMs}
          />
        </div>
      )}
    </section>
  )
}

interface AiringTableProps {
  readonly title: string
  readonly none: string
  readonly airings: readonly Airing[]
  readonly nowMs: number
}

function AiringTable({ title, none, airings, nowMs }: AiringTableProps) {
  if (airings.length === 0) {
    return (
      <div>
        <h4>{title}</h4>
        <p className={classes['hint']}>{none}</p>
      </div>
    )
  }
  const more = airings.length - SHOWN_MAXIMUM
  return (
    <div>
      <h4>{title}</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is scrolled by keys, too. */}
      <section className={table['scroll']} tabIndex={0} aria-label={title}>
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Channel</th>
              <th scope="col">Program</th>
              <th scope="col">As</th>
            </tr>
          </thead>
          <tbody>
            {airings.slice(0, SHOWN_MAXIMUM).map((airing) => (
              <tr key={`${airing.channelId} ${airing.startMs}`}>
                <td>
                  <time dateTime={new Date(airing.startMs).toISOString()}>
                    {utcMoment(airing.startMs, nowMs)}
                  </time>
                </td>
                <td data-kind="text">
                  <Link to={`/on-air/${encodeURIComponent(airing.channelId)}`}>{airing.channel}</Link>
                </td>
                <td data-kind="text">{airing.program ?? 'No program'}</td>
                <td>
                  <State airing={airing} nowMs={nowMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {more > 0 && <p className={classes['hint']}>{countText(more, 'more airing')} are not shown.</p>}
    </div>
  )
}

function State({ airing: { startMs, endMs, type, parts }, nowMs }: { airing: Airing; nowMs: number }) {
  const state: Program['state'] = endMs <= nowMs ? 'AIRED' : startMs <= nowMs ? 'ON_AIR' : 'PLANNED'
  return (
    <span className={classes['label']}>
      {state === 'ON_AIR' && <StatusBadge text={stateWords[state]} tone={stateTones[state]} />}{' '}
      {componentNames[type]}
      {parts > 1 && ` in ${parts} parts`}
    </span>
  )
}
