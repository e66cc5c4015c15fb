import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { anyOf, recordAudit, shown, verbOf, type Write } from '../audit/index.ts'
import { recordEvent } from '../events/index.ts'
import type { LiveSource } from './store.ts'
import { toWireDetail, toWireSource } from './wire.ts'

const pastTense = { create: 'created', change: 'changed', delete: 'deleted' } as const
type PastTense = (typeof pastTense)[keyof typeof pastTense]

/** Audits a write of a source and records its event. A command of an operator has its own action. */
export async function recordSourceWrite(
  tx: Transaction,
  actor: Actor,
  write: Write<LiveSource>,
  command?: 'activate' | 'deactivate',
): Promise<void> {
  const verb = verbOf(write)
  const action = `live_source.${command ?? verb}`
  await recordAudit(tx, actor, { action, ...subjectOf(anyOf(write)), ...shown(write, toWireDetail) })
  await record(tx, actor, anyOf(write), pastTense[verb])
}

/** Records a change of state that receivers have caused. */
export const recordSourceState = (tx: Transaction, actor: Actor, source: LiveSource): Promise<void> =>
  record(tx, actor, source, 'changed')

async function record(tx: Transaction, actor: Actor, source: LiveSource, what: PastTense): Promise<void> {
  const { live_source_id, name, status, status_detail } = toWireSource(source)
  const data = { live_source_id, name, status, status_detail }
  await recordEvent(tx, actor, { kind: `live_source.${what}`, subjectId: source.sourceId, data })
}

const subjectOf = ({ sourceId }: LiveSource) => ({ subjectType: 'live_source', subjectId: sourceId })
