import { type BreakEntry, breakMs, endBreak, insertBreak } from '@continuity/core/live/break-log'
import type { Handlers } from '../../http/bind.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { FeedUnavailable } from '../../platform/feed/errors.ts'
import { changeBreaks } from '../../platform/live-bus/change-breaks.ts'
import { lockFormat } from '../accounts/index.ts'
import { findSlotMedia } from '../assets/read.ts'
import { recordAudit } from '../audit/index.ts'
import { recordEvent } from '../events/index.ts'
import { type LiveSource, requireActiveSource, requireSource, saveBreaks } from '../live/index.ts'
import { BreakNotOpen, BreakOpen } from './errors.ts'

export interface BreakDeps {
  readonly database: Database
  readonly bus: Bus
  /** The broker's clock, by which slots are counted. */
  readonly readBrokerMs: () => Promise<number>
}

/** Endpoint to use case. */
export function breakRoutes(deps: BreakDeps) {
  const { changing } = recordHandlers(deps.database)
  const { bus } = deps
  const readBrokerMs = () =>
    deps.readBrokerMs().catch((error: unknown) => {
      throw FeedUnavailable(error)
    })
  return {
    insertAdBreak: changing(
      async (tx, { params, body, idempotencyKey, requestId, nowMs: calledMs }, actor) => {
        const source = await requireActiveSource(tx, actor.accountId, params.live_source_id)
        const { segmentMs: slotMs } = await lockFormat(tx, actor.accountId, actor.nowMs)
        const { adSlateVideoId } = source
        const slate =
          adSlateVideoId === null
            ? null
            : ((await findSlotMedia(tx, actor.accountId, adSlateVideoId)) ?? null)
        // The same when the transaction is retried, and unique for every call.
        const key = idempotencyKey ?? `${requestId} ${calledMs}`
        const draft = { key, origin: 'API', durationMs: body.duration * 1_000, slate } as const
        const { change, log } = await changeBreaks(bus, source.sourceId, slotMs, async (before) =>
          insertBreak(before, draft, await readBrokerMs()),
        )
        if (change.kind === 'rejected') throw BreakOpen()
        await saveBreaks(tx, source, log)
        await record(tx, actor, source, 'insert', eventOf(change.entry, slotMs, body.duration))
        return toAnswer(source, 'The ad break begins.', body.duration)
      },
    ),
    endAdBreak: changing(async (tx, { params }, actor) => {
      const source = await requireSource(tx, actor.accountId, params.live_source_id)
      const { segmentMs: slotMs } = await lockFormat(tx, actor.accountId, actor.nowMs)
      const { change, log } = await changeBreaks(bus, source.sourceId, slotMs, async (before) =>
        endBreak(before, await readBrokerMs()),
      )
      if (change.kind === 'rejected') throw BreakNotOpen()
      await saveBreaks(tx, source, log)
      const duration = Math.ceil(breakMs(change.entry, slotMs) / 1_000)
      await record(tx, actor, source, 'end', eventOf(change.entry, slotMs, duration))
      return toAnswer(source, 'The ad break ends.', duration)
    }),
  } satisfies Handlers
}

const toAnswer = ({ sourceId }: LiveSource, message: string, duration: number) => ({
  status_code: 200,
  message,
  live_source_id: sourceId,
  duration,
  status: '',
})

async function record(
  tx: Transaction,
  actor: Actor,
  { sourceId }: LiveSource,
  what: 'insert' | 'end',
  after: ReturnType<typeof eventOf>,
): Promise<void> {
  const subject = { subjectType: 'live_source', subjectId: sourceId }
  await recordAudit(tx, actor, { action: `ad_break.${what}`, ...subject, before: null, after })
  const kind = what === 'insert' ? 'ad_break.inserted' : 'ad_break.ended'
  await recordEvent(tx, actor, { kind, subjectId: sourceId, data: { live_source_id: sourceId, ...after } })
}

const eventOf = ({ origin, firstSlot }: BreakEntry, slotMs: number, duration: number) => ({
  origin,
  begins: new Date(firstSlot * slotMs).toISOString(),
  duration,
})
