import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { anyOf, recordAudit, shown, verbOf, type Write } from '../audit/index.ts'
import { recordEvent } from '../events/index.ts'
import type { LiveSource } from './store.ts'
import { toWireDetail, toWireSource } from './wire.ts'

const happened = { create: 'created', change: 'changed', delete: 'deleted' } as const

/** Who wrote a source, and that it changed. */
export async function recordSourceWrite(
  tx: Transaction,
  actor: Actor,
  write: Write<LiveSource>,
): Promise<void> {
  const source = anyOf(write)
  const { live_source_id, name, status, status_detail } = toWireSource(source)
  const subject = { subjectType: 'live_source', subjectId: source.sourceId }
  const verb = verbOf(write)
  await recordAudit(tx, actor, { action: `live_source.${verb}`, ...subject, ...shown(write, toWireDetail) })
  const data = { live_source_id, name, status, status_detail }
  await recordEvent(tx, actor, { kind: `live_source.${happened[verb]}`, ...subject, data })
}
