import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { fillChannel } from '@continuity/core/channels/channel-fields'
import { fillOutput } from '@continuity/core/channels/output-fields'
import { newId } from '../../platform/crypto/ids.ts'
import { type Database, openDatabase, type Transaction } from '../../platform/database/database.ts'
import { createLog } from '../../platform/log/logger.ts'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { aVideoRow } from '../catalog/testing/a-video-row.ts'
import {
  countOutputs,
  deleteOutputRow,
  findOutput,
  insertOutput,
  listOutputs,
  updateOutput,
} from './output-store.ts'
import {
  countChannelsLocked,
  findChannel,
  insertChannel,
  isReferenced,
  listChannelsAsJson,
  lockChannel,
  markChannelDeleted,
  updateChannel,
} from './store.ts'

const { ownerUrl } = await aDatabase()
const one = randomUUID()
const other = randomUUID()
await addAccounts(ownerUrl, { one, other })

/** Row-level security does not apply to the owner, so this tests the conditions of the statements. */
const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
const database: Database = openDatabase(ownerUrl, { connections: 2, logger })
after(() => database.close())

const id = { accountId: one, channelId: newId(1_000) }
const directId = { ...id, distributor: 'direct' }
const { channel, output } = await inTransaction(async (tx) => ({
  channel: await insertChannel(tx, id, fillChannel({ title: 'North One' }), 1_000),
  output: await insertOutput(tx, directId, fillOutput({}), 1_000),
}))
const everything = { status: 'ALL', name: '', sort: { by: 'updatedMs', order: 'desc' }, nowMs: 0 } as const

test('an account finds its channel as it was created', async () => {
  const db = database.forAccount(one)

  assert.deepEqual(await findChannel(db, one, id.channelId), channel)
  assert.equal((await listChannelsAsJson(db, one, everything)).length, 1)
  assert.equal(await inTransaction((tx) => countChannelsLocked(tx, one)), 1)
  assert.deepEqual(await listOutputs(db, one, id.channelId), [output])
})

test('no statement reads a channel or an output of another account, even as the owner', async () => {
  const db = database.forAccount(one)

  assert.equal(await findChannel(db, other, id.channelId), undefined)
  assert.deepEqual(await listChannelsAsJson(db, other, everything), [])
  assert.deepEqual(await listOutputs(db, other, id.channelId), [])
  assert.equal(await findOutput(db, { ...directId, accountId: other }), undefined)
  await inTransaction(async (tx) => {
    assert.equal(await lockChannel(tx, other, id.channelId), undefined)
    assert.equal(await countChannelsLocked(tx, other), 0)
    assert.equal(await countOutputs(tx, other, id.channelId), 0)
  })
})

test('media is referenced by a channel of its own account until the channel is deleted', async () => {
  const [videoId, otherVideoId] = [await aVideo(), await aVideo()]
  const referenced = (accountId: string, media: Parameters<typeof isReferenced>[2]) =>
    inTransaction((tx) => isReferenced(tx, accountId, media))

  for (const field of ['rescueSlateVideoId', 'timeFillVideoId', 'adSlateVideoId'] as const) {
    const fields = fillChannel({ title: 'Referring', [field]: videoId })
    const referring = await inTransaction((tx) =>
      insertChannel(tx, { accountId: one, channelId: newId(1_000) }, fields, 1_000),
    )
    assert.equal(await referenced(one, { videoId }), true, field)
    assert.equal(await referenced(other, { videoId }), false)
    assert.equal(await referenced(one, { videoId: otherVideoId }), false)
    assert.equal(await referenced(one, { playlistId: videoId }), false)
    await inTransaction((tx) => markChannelDeleted(tx, referring, 2_000))
    assert.equal(await referenced(one, { videoId }), false)
  }
})

test('no statement writes a channel or an output of another account, even as the owner', async () => {
  const otherChannel = { ...channel, accountId: other }
  const otherOutput = { ...output!, accountId: other }

  await inTransaction(async (tx) => {
    await assert.rejects(updateChannel(tx, otherChannel, { title: 'Mine' }, 2_000), /no result/)
    await assert.rejects(updateOutput(tx, otherOutput, { windowMs: 48_000 }, 2_000), /no result/)
    await markChannelDeleted(tx, otherChannel, 2_000)
    await deleteOutputRow(tx, otherOutput)
  })

  assert.deepEqual(await findChannel(database.forAccount(one), one, id.channelId), channel)
  assert.deepEqual(await findOutput(database.forAccount(one), directId), output)
})

const aVideo = () => aVideoRow(database.forAccount(one), one)

function inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.forAccount(one).transaction().execute(work)
}
