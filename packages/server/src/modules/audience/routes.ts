import type { Handlers } from '../../http/bind.ts'
import type { Database } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { listMinute, type MinuteRow } from './store.ts'

/**
 * From the end of a minute to when all nodes have added it: players hold back three target durations, and a batch is closed
 * every ten seconds.
 */
const COUNTED_AFTER_MS = 50_000
const MINUTE_MS = 60_000

/** Endpoint to use case. */
export function audienceRoutes({ database }: { readonly database: Database }) {
  return {
    async readAudienceNow({ query, principal: { accountId }, nowMs }) {
      const minuteMs = Math.floor((nowMs - COUNTED_AFTER_MS) / MINUTE_MS) * MINUTE_MS - MINUTE_MS
      const channelId = query.linear_channel_id ?? null
      const isKnown = channelId === null || isId(channelId)
      const db = database.forAccount(accountId)
      const rows = isKnown ? await listMinute(db, accountId, minuteMs, channelId) : []
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

/** Who watches for all of a minute is one viewer in it. */
const minutesOf = (ms: readonly number[]): number =>
  Math.round(ms.reduce((sum, one) => sum + one, 0) / 60) / 1_000
