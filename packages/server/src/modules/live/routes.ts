import { answered } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag, requireSeen } from '../../http/entity-tag.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ReadLatest } from '../../platform/live-bus/read-latest.ts'
import { changeSource } from './change-source.ts'
import { createSource } from './create-source.ts'
import { deleteSource } from './delete-source.ts'
import { toWireHealth } from './health-wire.ts'
import type { NamedRecords } from './named-records.ts'
import { toWirePreview } from './preview-wire.ts'
import { readSourceHealth } from './read-health.ts'
import { readPreview } from './read-preview.ts'
import { requireSource } from './require-source.ts'
import { countSources, type LiveSource, listSources } from './store.ts'
import { switchSource } from './switch-source.ts'
import { readSourceFields, toWireDetail, toWireSource } from './wire.ts'

export interface LiveDeps {
  readonly database: Database
  readonly namedRecords: NamedRecords
  readonly readLatest: ReadLatest
  readonly mediaBase: string
}

/** Endpoint to use case. */
export function liveRoutes({ database, namedRecords, readLatest, mediaBase }: LiveDeps) {
  const { reading, changing } = recordHandlers(database)
  return {
    listLiveSources: reading(async (db, { principal: { accountId }, query }) => {
      const { page_size: size, page_offset: offset } = query
      const filter = { status: query.status, type: query.source_type }
      const total = await countSources(db, accountId, filter)
      const sources = await listSources(db, accountId, filter, { size, offset })
      const next = offset + sources.length
      return {
        hits: sources.map(toWireSource),
        page: {
          page_id: null,
          page_size: `${size}`,
          page_mark: sources.length > 0 && next < total ? `${next}` : null,
          page_offset: `${offset}`,
        },
        total,
      }
    }),
    getLiveSource: reading(async (db, { principal, params }) =>
      toAnswer(await requireSource(db, principal.accountId, params.live_source_id)),
    ),
    getLiveSourceHealth: reading(async (db, { principal, params, nowMs }) => {
      const source = await requireSource(db, principal.accountId, params.live_source_id)
      return toWireHealth(source, await readSourceHealth(readLatest, source, nowMs))
    }),
    getLiveSourcePreview: reading(async (db, { principal, params, nowMs }) => {
      const source = await requireSource(db, principal.accountId, params.live_source_id)
      return toWirePreview(source, await readPreview(readLatest, source, nowMs), mediaBase)
    }),
    createLiveSource: changing(async (tx, { body }, actor) => {
      const fields = readSourceFields(body)
      const draft = { ...fields, name: body.name, inputUrl: body.metadata.input_url }
      return toAnswer(await createSource(tx, actor, draft, namedRecords))
    }),
    changeLiveSource: changing(async (tx, call, actor) => {
      const changes = readSourceFields(call.body)
      const { live_source_id: id } = call.params
      return toAnswer(await changeSource(tx, actor, id, changes, requireSeen(call), namedRecords))
    }),
    deleteLiveSource: changing(async (tx, call, actor) => {
      await deleteSource(tx, actor, call.params.live_source_id, requireSeen(call))
    }),
    activateLiveSource: changing(async (tx, { params }, actor) =>
      toWireSource(await switchSource(tx, actor, params.live_source_id, 'activate', namedRecords)),
    ),
    deactivateLiveSource: changing(async (tx, { params }, actor) =>
      toWireSource(await switchSource(tx, actor, params.live_source_id, 'deactivate', namedRecords)),
    ),
  } satisfies Handlers
}

const toAnswer = (source: LiveSource) => answered(toWireDetail(source), { etag: recordEtag(source.version) })
