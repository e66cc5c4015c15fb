import type { Actor } from '../../platform/actor.ts'
import { executeTogether, type Statement, type Transaction } from '../../platform/database/database.ts'
import { anyOf, auditStatement, recordAudit, shown, verbOf, type Write } from '../audit/index.ts'
import { eventStatement, recordEvent } from '../events/index.ts'
import type { Output } from './output-store.ts'
import type { Channel } from './store.ts'
import { toWireChannel, toWireOutput } from './wire.ts'

/** Audits a write of a channel and records its event, which carries a summary; followers can read the rest. */
export async function recordChannelWrite(
  tx: Transaction,
  actor: Actor,
  write: Write<Channel>,
): Promise<void> {
  await executeTogether(tx, writeStatements(tx, actor, write))
}

export function writeStatements(tx: Transaction, actor: Actor, write: Write<Channel>): readonly Statement[] {
  const channel = anyOf(write)
  const { linear_channel_id, title, status, linear_channel_override_status } = toWireChannel(channel)
  const data = { linear_channel_id, title, status, linear_channel_override_status }
  const subject = { subjectType: 'linear_channel', subjectId: channel.channelId }
  const verb = verbOf(write)
  return [
    auditStatement(tx, actor, { action: `channel.${verb}`, ...subject, ...shown(write, toWireChannel) }),
    eventStatement(tx, actor, { kind: `channel.${pastTense[verb]}`, subjectId: channel.channelId, data }),
  ]
}

/** The same for an output. Its subject is the channel's id, so that a search by channel finds both. */
export async function recordOutputWrite(tx: Transaction, actor: Actor, write: Write<Output>): Promise<void> {
  const output = anyOf(write)
  const data = { linear_channel_id: output.channelId, ...toWireOutput(output) }
  const subject = { subjectType: 'output', subjectId: output.channelId }
  const verb = verbOf(write)
  await recordAudit(tx, actor, { action: `output.${verb}`, ...subject, ...shown(write, toWireOutput) })
  await recordEvent(tx, actor, { kind: `output.${pastTense[verb]}`, subjectId: output.channelId, data })
}

const pastTense = { create: 'created', change: 'changed', delete: 'deleted' } as const
