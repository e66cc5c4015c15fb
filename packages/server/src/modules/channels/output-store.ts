import { countedFromMs, type OutputFields } from '@continuity/core/channels/output-fields'
import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'

/** Which output it is. */
export interface OutputId {
  readonly accountId: string
  readonly channelId: string
  readonly distributor: string
}

export interface Output extends OutputId, OutputFields {
  /** Lines of access logs before this time are not counted. */
  readonly audienceFromMs: number
}

interface OutputRow {
  account_id: string
  linear_channel_id: string
  distributor: string
  key: string | null
  window_ms: number
  markers: OutputFields['markers']
  break_policy: OutputFields['breakPolicy']
  audience_source: OutputFields['audienceSource']
  audience_from_ms: number
  delay_ms: number
  created_ms: number
  updated_ms: number
}

const on = tables<{ outputs: OutputRow }>()

const columns = [
  'account_id as accountId',
  'linear_channel_id as channelId',
  'distributor',
  'key',
  'window_ms as windowMs',
  'markers',
  'break_policy as breakPolicy',
  'audience_source as audienceSource',
  'audience_from_ms as audienceFromMs',
  'delay_ms as delayMs',
] as const

/** Sorted by distributor. */
export async function listOutputs(db: Db, accountId: string, channelId: string): Promise<readonly Output[]> {
  return on(db)
    .selectFrom('outputs')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('linear_channel_id', '=', channelId)
    .orderBy('distributor')
    .execute()
}

/** The outputs of several channels, unsorted. */
export async function listOutputsOf(
  db: Db,
  accountId: string,
  channelIds: readonly string[],
): Promise<readonly Output[]> {
  return on(db)
    .selectFrom('outputs')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('linear_channel_id', '=', sql<string>`any(${channelIds}::uuid[])`)
    .execute()
}

/** The outputs of an account that have a delay, unsorted. */
export async function listDelayedOutputs(db: Db, accountId: string): Promise<readonly Output[]> {
  return on(db)
    .selectFrom('outputs')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('delay_ms', '>', 0)
    .execute()
}

export async function findOutput(db: Db, id: OutputId): Promise<Output | undefined> {
  return on(db)
    .selectFrom('outputs')
    .select(columns)
    .where('account_id', '=', id.accountId)
    .where('linear_channel_id', '=', id.channelId)
    .where('distributor', '=', id.distributor)
    .executeTakeFirst()
}

/** The channel must be locked, or the number may already have changed. */
export async function countOutputs(tx: Transaction, accountId: string, channelId: string): Promise<number> {
  const { count } = await on(tx)
    .selectFrom('outputs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('linear_channel_id', '=', channelId)
    .executeTakeFirstOrThrow()
  return count
}

/** Undefined if the distributor already has one. */
export async function insertOutput(
  tx: Transaction,
  id: OutputId,
  fields: OutputFields,
  nowMs: number,
): Promise<Output | undefined> {
  return on(tx)
    .insertInto('outputs')
    .values({
      account_id: id.accountId,
      linear_channel_id: id.channelId,
      distributor: id.distributor,
      ...columnsOf(fields),
      audience_from_ms: nowMs,
      created_ms: nowMs,
      updated_ms: nowMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export async function updateOutput(
  tx: Transaction,
  output: Output,
  changes: Partial<OutputFields>,
  nowMs: number,
): Promise<Output> {
  const after = { ...output, ...changes }
  const audience_from_ms = countedFromMs(output, after, output.audienceFromMs, nowMs)
  return on(tx)
    .updateTable('outputs')
    .set({ ...columnsOf(after), audience_from_ms, updated_ms: nowMs })
    .where('account_id', '=', output.accountId)
    .where('linear_channel_id', '=', output.channelId)
    .where('distributor', '=', output.distributor)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteOutputRow(tx: Transaction, id: OutputId): Promise<void> {
  await on(tx)
    .deleteFrom('outputs')
    .where('account_id', '=', id.accountId)
    .where('linear_channel_id', '=', id.channelId)
    .where('distributor', '=', id.distributor)
    .execute()
}

const columnsOf = (fields: OutputFields) => ({
  key: fields.key,
  window_ms: fields.windowMs,
  markers: fields.markers,
  break_policy: fields.breakPolicy,
  audience_source: fields.audienceSource,
  delay_ms: fields.delayMs,
})
