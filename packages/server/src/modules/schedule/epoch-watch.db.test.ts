import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { FeedVersion } from '@continuity/core/feed/feed-message'
import { sql } from 'kysely'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import type { StoredMarker } from '../../platform/feed/feed-publisher.ts'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { createEpochWatch } from './epoch-watch.ts'
import { noteCompared, readDatabaseState } from './feed-epoch-store.ts'

const { database } = await aDatabase()
const NOW_MS = Date.parse('2026-11-16T00:00:00Z')

/** What a stream holds: one channel, which the database has never had, and a marker. */
interface Contents {
  readonly stated?: FeedVersion
  readonly signed?: FeedVersion
  readonly marker?: StoredMarker
}

function aWatch({ stated, signed, marker }: Contents, findMarker = async () => marker) {
  const id = { accountId: randomUUID(), channelId: randomUUID() }
  return createEpochWatch({
    database,
    clock: () => NOW_MS,
    logger: aCapturedLog().logger,
    publisher: {
      findMarker,
      listLastVersions: async () => (stated === undefined ? [] : [{ id, ...stated }]),
      findVersion: async () => signed,
    },
  })
}

const epochNow = async () => (await readDatabaseState(database.platform)).epoch
const aMarker = (epoch: number): StoredMarker => ({ created: 'now', epoch, isCurrent: true })
const others = { identity: 'of another server' }

test('a database that the stream is not ahead of stays in its epoch, also on its first start', async () => {
  const epoch = await epochNow()

  assert.equal(await aWatch({}).look(), epoch)
  assert.equal(await aWatch({ marker: aMarker(epoch) }).look(), epoch)
  const state = await readDatabaseState(database.platform)
  assert.deepEqual([state.epoch, state.comparedIdentity], [epoch, state.identity])
})

test('an update that the database does not have begins an epoch above all earlier ones, once', async () => {
  const epoch = await epochNow()
  const version = { epoch, version: 7 }
  const watch = aWatch({ stated: version, signed: version, marker: aMarker(epoch) })

  const begun = await watch.look()
  const again = await watch.look()
  watch.suspectRestore()
  // The update is now of an earlier epoch than the platform's: its loss is handled already.
  const suspected = await watch.look()

  assert.ok(begun > epoch && begun >= NOW_MS / 1_000)
  assert.deepEqual([again, suspected, await epochNow()], [begun, begun, begun])
})

test('an update with an invalid signature begins no epoch', async () => {
  const epoch = await epochNow()
  const watch = aWatch({ stated: { epoch: epoch + 5, version: 999_999 }, marker: aMarker(epoch) })

  assert.equal(await watch.look(), epoch)
})

test('a marker of a later epoch begins one above it', async () => {
  const epoch = await epochNow()

  assert.ok((await aWatch({ marker: aMarker(epoch + 1_000_000) }).look()) > epoch + 1_000_000)
})

test('a database that was restarted begins an epoch where the stream is gone, and not where it exists', async () => {
  const epoch = await epochNow()
  await noteCompared(database.platform, { epoch, ...others })
  const kept = await aWatch({ marker: aMarker(epoch) }).look()
  await noteCompared(database.platform, { epoch, ...others })

  const lost = await aWatch({}).look()

  assert.equal(kept, epoch)
  assert.ok(lost > epoch)
})

test('two workers that find a restore at once begin one epoch', async () => {
  const version = { epoch: await epochNow(), version: 7 }
  const contents = { stated: version, signed: version }

  const [one, other] = await Promise.all([aWatch(contents).look(), aWatch(contents).look()])

  assert.equal(one, other)
})

test('a comparison that fails is made again', async () => {
  const epoch = await epochNow()
  const version = { epoch, version: 7 }
  let isGone = true
  const watch = aWatch({ stated: version, signed: version }, async () => {
    if (isGone) throw new Error('NATS is gone')
    return aMarker(epoch)
  })

  await assert.rejects(watch.look(), /gone/)
  isGone = false

  assert.ok((await watch.look()) > epoch)
})

test('the identity of a database is the same in every session, whatever its time zone', async () => {
  const identityIn = async (zone: string) =>
    database.platform.transaction().execute(async (tx) => {
      await sql`select set_config('timezone', ${zone}, true)`.execute(tx)
      return (await readDatabaseState(tx)).identity
    })

  assert.equal(await identityIn('Asia/Tokyo'), await identityIn('America/Lima'))
})
