import type { Client } from '@continuity/client'
import { DAY_MS } from '@continuity/core/rules/zone-time'
import { type QueryClient, queryOptions, useQueries, useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { useClient } from '../session/session-context.tsx'
import { READ_AGAIN_MS } from '../shared/page-state.tsx'
import { keys } from '../shared/query-keys.ts'
import { serverNowMs } from '../shared/server-time.ts'
import type { Program } from '../shared/wire-types.ts'
import type { TimeRange } from './grid-scale.ts'
import type { Motion } from './motion.ts'
import { type Cell, type Chunk, cellsOf } from './row-cells.ts'

/** Programs are read by the day of UTC, so that every zone and zoom uses the same answers. */
const chunksOf = ({ fromMs, toMs }: TimeRange): readonly number[] => {
  const first = Math.floor(fromMs / DAY_MS)
  const count = Math.max(1, Math.ceil(toMs / DAY_MS) - first)
  return Array.from({ length: count }, (_, at) => (first + at) * DAY_MS)
}

/** A start and an end have no event. */
const AFTER_MS = 500
const TODAY_MS = 60_000
const OTHER_MS = 10 * 60_000

const chunkQuery = (client: Client, channelId: string, startMs: number) =>
  queryOptions({
    queryKey: keys.programsOfDay(channelId, startMs),
    queryFn: async ({ signal }) => {
      const query = {
        from: new Date(startMs).toISOString(),
        to: new Date(startMs + DAY_MS).toISOString(),
        page_size: 50,
      }
      const programs: Program[] = []
      const params = { linear_channel_id: channelId }
      for await (const program of client.listPrograms.all({ params, query }, { signal })) {
        programs.push(program)
      }
      return programs
    },
    refetchInterval: ({ state }) =>
      state.status === 'error' ? READ_AGAIN_MS : untilChangeMs(state.data ?? [], startMs),
  })

/** Until the state of one of them changes by time alone. */
function untilChangeMs(programs: readonly Program[], startMs: number): number {
  const nowMs = serverNowMs()
  if (nowMs < startMs || nowMs >= startMs + DAY_MS) return OTHER_MS
  const changes = programs
    .flatMap(({ start_time, end_time }) => [start_time, end_time ?? ''])
    .map((time) => Date.parse(time))
    .filter((ms) => ms > nowMs)
  return Math.min(TODAY_MS, Math.max(1_000, Math.min(...changes) - nowMs + AFTER_MS))
}

/** The cells of one channel. While the grid moves nothing new is requested: it may move on, and not need it. */
export function useCells(channelId: string, fromMs: number, toMs: number, motion: Motion): readonly Cell[] {
  const client = useClient()
  const queries = useQueryClient()
  const starts = useMemo(() => chunksOf({ fromMs, toMs }), [fromMs, toMs])
  const isRead = starts.every((startMs) => queries.getQueryData(keys.programsOfDay(channelId, startMs)))
  const isPaused = useSyncExternalStore(motion.subscribe, () => !isRead && motion.isMoving())
  const results = useQueries({
    queries: starts.map((startMs) => ({ ...chunkQuery(client, channelId, startMs), enabled: !isPaused })),
    combine: pickResults,
  })
  return useMemo(() => {
    const chunks = starts.map(
      (startMs, at): Chunk => ({
        fromMs: startMs,
        toMs: startMs + DAY_MS,
        programs: results[at]?.programs,
        error: results[at]?.error ?? null,
      }),
    )
    return cellsOf(chunks, { fromMs, toMs }, serverNowMs())
  }, [starts, results, fromMs, toMs])
}

const pickResults = (results: readonly { data: Program[] | undefined; error: Error | null }[]) =>
  results.map(({ data, error }) => ({ programs: data, error }))

/** What has been read of a channel, for keys that move from cell to cell. */
export function readCells(queries: QueryClient, channelId: string, range: TimeRange): readonly Cell[] {
  const chunks = chunksOf(range).map(
    (startMs): Chunk => ({
      fromMs: startMs,
      toMs: startMs + DAY_MS,
      programs: queries.getQueryData<Program[]>(keys.programsOfDay(channelId, startMs)),
      error: null,
    }),
  )
  return cellsOf(chunks, range, serverNowMs())
}
