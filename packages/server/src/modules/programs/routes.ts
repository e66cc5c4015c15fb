import { answered } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag, requireSeen } from '../../http/entity-tag.ts'
import { pageAnswer, pageStart } from '../../http/page.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { PageCursors } from '../../platform/crypto/page-cursor.ts'
import type { Database, Db } from '../../platform/database/database.ts'
import { requireChannel } from '../channels/index.ts'
import type { StoredProgram } from '../schedule/index.ts'
import type { AiredDeps } from '../schedule/read.ts'
import { cancelProgram, changeProgram, createProgram, requireProgram } from './change-programs.ts'
import { listPrograms } from './list-programs.ts'
import type { ProgramKey } from './listed-program.ts'
import { loadFacts, loadItems } from './program-facts.ts'
import { readNow } from './read-now.ts'
import { readProgram } from './read-program.ts'
import { readDraft, readRange, toWireNow, toWireProgram, withComponents } from './wire.ts'

export interface ProgramDeps extends Pick<AiredDeps, 'loadLiveView'> {
  readonly database: Database
  readonly pageCursors: PageCursors
}

/** Endpoint to use case. */
export function programRoutes(deps: ProgramDeps) {
  const { database, pageCursors } = deps
  const { reading, changing } = recordHandlers(database)
  const toAnswer = async (db: Db, program: StoredProgram, nowMs: number) => {
    const channel = await requireChannel(db, program.accountId, program.channelId)
    const listed = await readProgram(db, deps, channel, program, nowMs)
    const facts = await loadFacts(db, channel, [listed])
    const items = await loadItems(db, channel, [listed])
    const wire = withComponents(toWireProgram(listed, facts), listed, items)
    return answered(wire, { etag: recordEtag(program.version) })
  }
  return {
    listPrograms: reading(async (db, call) => {
      const { query, principal, params, nowMs } = call
      const range = { ...readRange(query, nowMs), nowMs }
      const channel = await requireChannel(db, principal.accountId, params.linear_channel_id)
      const after = pageStart(pageCursors, call) as ProgramKey | undefined
      const { programs, total } = await listPrograms(db, deps, channel, range, after, query.page_size + 1)
      const listed = programs.slice(0, query.page_size)
      const facts = await loadFacts(db, channel, listed)
      const items = query.components ? await loadItems(db, channel, listed) : new Map()
      const page = pageAnswer(pageCursors, call, {
        rows: programs,
        keyOf: ({ key }) => [...key],
        hitOf: (program) => {
          const wire = toWireProgram(program, facts)
          return query.components ? withComponents(wire, program, items) : wire
        },
      })
      return { ...page, total }
    }),

    createProgram: changing(async (tx, { params, body, nowMs }, actor) => {
      const program = await createProgram(tx, actor, params.linear_channel_id, readDraft(body))
      return toAnswer(tx, program, nowMs)
    }),
    getProgram: reading(async (db, { principal: { accountId }, params, nowMs }) => {
      const { channelId } = await requireChannel(db, accountId, params.linear_channel_id)
      return toAnswer(db, await requireProgram(db, accountId, channelId, params.program_id), nowMs)
    }),
    replaceProgram: changing(async (tx, call, actor) => {
      const { linear_channel_id: channelId, program_id: programId } = call.params
      const draft = readDraft(call.body)
      const program = await changeProgram(tx, actor, channelId, programId, draft, requireSeen(call))
      return toAnswer(tx, program, call.nowMs)
    }),
    cancelProgram: changing(async (tx, call, actor) => {
      const { linear_channel_id: channelId, program_id: programId } = call.params
      await cancelProgram(tx, actor, channelId, programId, requireSeen(call))
    }),

    readOnAirNow: reading(async (db, { principal, params, nowMs }) => {
      const channel = await requireChannel(db, principal.accountId, params.linear_channel_id)
      const now = await readNow(db, deps, channel, nowMs)
      const facts = await loadFacts(
        db,
        channel,
        [now.program, now.next].filter((it) => it !== null),
      )
      return toWireNow(channel.channelId, nowMs, now, facts)
    }),
  } satisfies Handlers
}
