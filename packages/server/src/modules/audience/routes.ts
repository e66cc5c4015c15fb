import type { BodyOf, Operations } from '@continuity/contract'
import type { Handlers } from '../../http/bind.ts'
import { isId } from '../../platform/crypto/ids.ts'
import { createSessionIds } from '../../platform/crypto/viewing-session-ids.ts'
import { listDelayedOutputs } from '../channels/index.ts'
import { type ImportDeps, importLines } from './import-lines.ts'
import type { LogLine } from './read-lines.ts'
import { createReferences } from './references.ts'
import { listMinute, type MinuteRow } from './store.ts'

export interface AudienceDeps extends Pick<ImportDeps, 'database' | 'loadLiveView'> {
  /** The key with which nodes sign viewing sessions; empty if not set. */
  readonly viewingKey: string
}

/**
 * Delay from the end of a minute until all nodes have reported it: players hold back three target durations, and a batch
 * is closed every ten seconds.
 */
const COUNTED_AFTER_MS = 50_000
const MINUTE_MS = 60_000

/** Endpoint to use case. */
export function audienceRoutes({ database, loadLiveView, viewingKey }: AudienceDeps) {
  const viewingIds = viewingKey === '' ? undefined : createSessionIds(viewingKey)
  const deps = { database, loadLiveView, viewingIds, references: createReferences() }
  return {
    importAudienceLines: async ({ principal, body, requestId, nowMs }) => {
      const actor = { accountId: principal.accountId, userId: principal.subjectId, requestId, nowMs }
      const result = await importLines(deps, actor, body.lines.map(readLine))
      const { counted, repeated, ignored, watchedMs, starts } = result
      return { counted, repeated, ignored, watched_ms: watchedMs, starts }
    },
    async readAudienceNow({ query, principal: { accountId }, nowMs }) {
      const minuteMs = Math.floor((nowMs - COUNTED_AFTER_MS) / MINUTE_MS) * MINUTE_MS - MINUTE_MS
      const channelId = query.linear_channel_id ?? null
      const isKnown = channelId === null || isId(channelId)
      const db = database.forAccount(accountId)
      // Viewers of a delayed output are counted in the minute that the channel was in then.
      const delayed = (await listDelayedOutputs(db, accountId)).map((output) => ({
        ...output,
        behindMs: Math.ceil(output.delayMs / MINUTE_MS) * MINUTE_MS,
      }))
      const rows = isKnown ? await listMinute(db, accountId, minuteMs, channelId, delayed) : []
      const channels = [...Map.groupBy(rows, ({ channelId }) => channelId)].map(
        ([linear_channel_id, own]) => ({
          linear_channel_id,
          viewers: viewersOf(own),
          distributors: own.map((row) => ({ distributor: row.distributor, viewers: viewersOf([row]) })),
        }),
      )
      return {
        minute: new Date(minuteMs).toISOString(),
        viewers: viewersOf(rows),
        channels,
        minutes_by_method: {
          cmcd_v2: minutesOf(rows.map(({ cmcdV2Ms }) => cmcdV2Ms)),
          cmcd_v1: minutesOf(rows.map(({ cmcdV1Ms }) => cmcdV1Ms)),
          heartbeat: minutesOf(rows.map(({ heartbeatMs }) => heartbeatMs)),
        },
      }
    },
  } satisfies Handlers
}

const viewersOf = (rows: readonly MinuteRow[]): number =>
  minutesOf(rows.map(({ cmcdV2Ms, cmcdV1Ms, heartbeatMs }) => cmcdV2Ms + cmcdV1Ms + heartbeatMs))

/** A minute watched counts as one viewer in that minute. */
const minutesOf = (ms: readonly number[]): number =>
  Math.round(ms.reduce((sum, one) => sum + one, 0) / 60) / 1_000

type WireLine = BodyOf<Operations['importAudienceLines']>['lines'][number]

const readLine = (line: WireLine): LogLine => ({
  timeMs: line.time_ms,
  channelId: line.linear_channel_id,
  distributor: line.distributor,
  sid: line.sid,
  shiftMs: line.shift_ms ?? 0,
  cmcd: line.cmcd,
  country: line.country,
})
