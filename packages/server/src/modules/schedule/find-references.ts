import { ticksOf } from '@continuity/core/time/ticks'
import { decodeRun } from '@continuity/core/timeline/codec/run-codec'
import type { ComponentType } from '@continuity/core/timeline/span'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { AiringTitle } from './timeline-store.ts'

/** Part of a span that was on the air, as a playout node reports it. */
export interface AiredSpan {
  readonly channelId: string
  readonly spanTicks: number
  readonly type: ComponentType
  readonly programId: string | null
}

/** The id of a video or a live source; null where there is none, undefined where it is unknown. */
export type Reference = string | null | undefined

/** The reference of each span: from runs, or from the as-run record when the runs are deleted. */
export async function findReferences(
  db: Db,
  accountId: string,
  spans: readonly AiredSpan[],
): Promise<readonly Reference[]> {
  const known = await fromRuns(db, accountId, spans)
  const find = (span: AiredSpan) => known.get(keyOf(span.channelId, span.spanTicks))
  const missing = spans.filter((span) => find(span) === undefined)
  const recorded = missing.length === 0 ? [] : await fromRecord(db, accountId, missing)
  const byMissing = new Map(missing.map((span, at) => [span, recorded[at]]))
  return spans.map((span) => (byMissing.has(span) ? byMissing.get(span) : find(span)))
}

const keyOf = (channelId: string, spanTicks: number) => `${channelId} ${spanTicks}`

async function fromRuns(
  db: Db,
  accountId: string,
  spans: readonly AiredSpan[],
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<{ channelId: string; body: Uint8Array; airings: readonly AiringTitle[] }>`
    select linear_channel_id as "channelId", body, airings
      from (select distinct span.channel_id, r.number
              from unnest(${spans.map(({ channelId }) => channelId)}::uuid[],
                          ${spans.map(({ spanTicks }) => spanTicks)}::bigint[]) as span(channel_id, ticks)
              cross join lateral (
                select number from runs
                 where account_id = ${accountId} and linear_channel_id = span.channel_id and end_ticks > span.ticks
                   and end_sequence > first_sequence and start_ticks <= span.ticks
                 order by end_ticks limit 1) as r) as found
      join runs on account_id = ${accountId} and linear_channel_id = channel_id and runs.number = found.number`.execute(
    db,
  )
  const known = new Map<string, string | null>()
  for (const { channelId, body, airings } of rows) {
    const run = decodeRun(body)
    run?.spans.forEach(({ startTicks }, at) => {
      known.set(keyOf(channelId, startTicks), airings[at]?.[0] ?? null)
    })
  }
  return known
}

/** Longer than a batch waits at a node. */
const LOOKED_AHEAD_TICKS = ticksOf(7 * 86_400_000)

/** In a live span a type can begin later than the span. */
async function fromRecord(
  db: Db,
  accountId: string,
  spans: readonly AiredSpan[],
): Promise<readonly Reference[]> {
  const { rows } = await sql<{ found: readonly [string | null] | null }>`
    select (select jsonb_build_array(reference_id) from as_run_entries e
             where e.account_id = ${accountId} and e.linear_channel_id = span.channel_id
               and e.start_ticks >= coalesce((select max(start_ticks) from as_run_entries
                                               where account_id = ${accountId} and linear_channel_id = span.channel_id
                                                 and start_ticks <= span.ticks), 0)
               and e.start_ticks < span.ticks + ${LOOKED_AHEAD_TICKS}
               and e.type = span.type and e.program_id is not distinct from span.program_id
             order by e.start_ticks limit 1) as found
      from unnest(${spans.map(({ channelId }) => channelId)}::uuid[], ${spans.map(({ spanTicks }) => spanTicks)}::bigint[],
                  ${spans.map(({ type }) => type)}::text[], ${spans.map(({ programId }) => programId)}::text[])
           with ordinality as span(channel_id, ticks, type, program_id, ordinal)
     order by ordinal`.execute(db)
  return rows.map(({ found }) => found?.[0])
}
