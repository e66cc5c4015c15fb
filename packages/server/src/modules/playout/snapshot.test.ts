import assert from 'node:assert/strict'
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import { encodeUpdate } from '@continuity/core/feed/feed-codec'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { emptyPacked } from '@continuity/core/timeline/codec/packed'
import { aRun, loops, plays } from '@continuity/core/timeline/testing/a-run'
import { createChannelStore } from './channel-store.ts'
import { openSnapshot } from './snapshot.ts'
import { printFrame } from './snapshot-frame.ts'
import { aChannel, aFeed, anId } from './testing/a-feed.ts'

const aDay = aRun({ startSeconds: -32, shownFromSeconds: 0 }, loops('lead', 20), plays('film', 100))

/** Updates of one channel, each of which adds a run. */
const updates: readonly FeedMessage[] = aFeed([
  aDay,
  ...Array.from({ length: 8 }, (_, at) =>
    aRun(
      { number: at + 2, sequence: 40 + at, startSeconds: 32 + at * 3.2, discontinuity: at },
      loops('x', 50),
    ),
  ),
])

async function aFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-snapshot-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A channel store with a snapshot opened in a folder. */
async function anOpened(folder: string, betweenStates: () => void = () => {}) {
  const faults: unknown[] = []
  const clock = { nowMs: ORIGIN_MS }
  const store = createChannelStore({
    clock: () => clock.nowMs,
    onGap: () => {},
    onChange: () => {},
    onLateCut: () => {},
  })
  const snapshot = await openSnapshot({
    ...store,
    *states() {
      for (const state of store.states()) {
        yield state
        betweenStates()
      }
    },
    folder,
    clock: () => clock.nowMs,
    onFault: (error) => faults.push(error),
  })
  const apply = (message: FeedMessage, channelId?: string) => {
    store.apply(anId(channelId), message)
    snapshot.append(anId(channelId), encodeUpdate(message))
  }
  return { store, snapshot, faults, clock, apply, states: () => [...store.states()] }
}

/** The states after so many updates. */
function statesAfter(count: number): readonly ChannelState[] {
  const store = createChannelStore({
    clock: () => ORIGIN_MS,
    onGap: () => {},
    onChange: () => {},
    onLateCut: () => {},
  })
  for (const update of updates.slice(0, count)) store.apply(anId(), update)
  return [...store.states()]
}

test('a restarted node has the same states', async (t) => {
  const folder = await aFolder(t)
  const first = await anOpened(folder)
  for (const update of updates) first.apply(update)
  await first.snapshot.flush()

  // Not closed: it was killed.
  const second = await anOpened(folder)

  assert.deepEqual(second.states(), first.states())
  assert.deepEqual(second.snapshot.figures(), { ...first.snapshot.figures(), isCut: false })
  await Promise.all([first.snapshot.close(), second.snapshot.close()])
})

test('wherever the file ends or is corrupt, a channel has the state after some update, and continues from there', async (t) => {
  const folder = await aFolder(t)
  const path = join(folder, 'steps.log')
  const first = await anOpened(folder)
  for (const update of updates) first.apply(update)
  await first.snapshot.close()
  const intact = await readFile(path)

  const prefixes = new Set<number>()
  for (let length = 0; length < intact.length; length += 37) {
    const isCorrupt = length % 2 === 0
    const bytes = Buffer.from(isCorrupt ? intact : intact.subarray(0, length))
    if (isCorrupt) bytes[length]! ^= 0x55
    await writeFile(path, bytes)
    const opened = await anOpened(folder)
    const version = opened.states()[0]?.version ?? 0
    prefixes.add(version)
    assert.deepEqual(opened.states(), statesAfter(version), `${length}`)
    for (const update of updates.slice(version)) opened.apply(update)
    await opened.snapshot.close()
    const again = await anOpened(folder)
    assert.deepEqual([again.states(), again.snapshot.figures().isCut], [statesAfter(updates.length), false])
    await again.snapshot.close()
  }

  // All of them, if only a length was wrong.
  assert.deepEqual(
    [...prefixes].toSorted((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
})

test('an incomplete frame is removed before anything is appended', async (t) => {
  const folder = await aFolder(t)
  const path = join(folder, 'steps.log')
  const first = await anOpened(folder)
  for (const update of updates) first.apply(update)
  await first.snapshot.close()
  const { size } = await stat(path)
  await truncate(path, size - 3)

  const second = await anOpened(folder)
  second.apply(updates.at(-1)!)
  await second.snapshot.close()

  assert.equal(second.snapshot.figures().isCut, true)
  const third = await anOpened(folder)
  t.after(() => third.snapshot.close())
  const { isCut, corruptStretches } = third.snapshot.figures()
  assert.deepEqual([isCut, corruptStretches], [false, 0])
  assert.deepEqual(third.states(), statesAfter(updates.length))
})

test('a log twice as long as its states is rewritten, with updates that arrive meanwhile', async (t) => {
  const folder = await aFolder(t)
  const first = await anOpened(folder)
  const title = 'x'.repeat(100_000)
  for (let version = 1; version <= 60; version += 1) {
    const channel = aChannel({ title: `${title}${version}` })
    first.apply({ kind: 'whole', epoch: 1, version, channel, timeline: emptyPacked })
    // Some are written in between, and some wait during the rewrite.
    if (version % 7 === 0) await new Promise(setImmediate)
  }
  await first.snapshot.flush()

  const { size } = await stat(join(folder, 'steps.log'))
  const second = await anOpened(folder)

  assert.ok(size < 3_000_000, `${size}`)
  assert.deepEqual(second.states(), first.states())
  assert.deepEqual(await readdir(folder), ['steps.log'])
  await Promise.all([first.snapshot.close(), second.snapshot.close()])
})

test('an unfinished rewrite is ignored after a kill', async (t) => {
  const folder = await aFolder(t)
  const first = await anOpened(folder)
  for (const update of updates) first.apply(update)
  await first.snapshot.close()
  await writeFile(join(folder, 'steps.new'), 'half of it')

  const second = await anOpened(folder)

  assert.deepEqual(second.states(), statesAfter(updates.length))
  assert.deepEqual(await readdir(folder), ['steps.log'])
  await second.snapshot.close()
})

test('a failed disk does not stop the node, and is written in full when it is back', async (t) => {
  const folder = await aFolder(t)
  // A file instead of the folder.
  const diskPath = join(folder, 'disk')
  await writeFile(diskPath, '')
  const node = await anOpened(diskPath)
  for (const update of updates.slice(0, 5)) node.apply(update)
  await rm(diskPath)
  await mkdir(diskPath)

  node.clock.nowMs += 59_999
  node.snapshot.retry()
  await node.snapshot.flush()
  const early = await readdir(diskPath)
  node.clock.nowMs += 1
  node.snapshot.retry()
  for (const update of updates.slice(5)) node.apply(update)
  await node.snapshot.flush()
  const back = await anOpened(diskPath)

  assert.equal(node.faults.length, 1)
  assert.deepEqual(early, [])
  assert.deepEqual(node.states(), statesAfter(updates.length))
  assert.deepEqual(back.states(), node.states())
  await Promise.all([node.snapshot.close(), back.snapshot.close()])
})

test('updates applied during a rewrite are in the new log', async (t) => {
  const folder = await aFolder(t)
  const diskPath = join(folder, 'disk')
  await writeFile(diskPath, '')
  const channel = aChannel({ title: 'x'.repeat(300_000) })
  const snapshotMessage: FeedMessage = { kind: 'whole', epoch: 1, version: 1, channel, timeline: emptyPacked }
  const left = aFeed([aDay], channel).slice(1)
  // Called after its channel has been written.
  const node = await anOpened(diskPath, () => {
    for (const update of left.splice(0)) node.apply(update)
  })
  node.apply(snapshotMessage)
  await rm(diskPath)
  await mkdir(diskPath)

  node.clock.nowMs += 60_000
  node.snapshot.retry()
  await node.snapshot.flush()
  const back = await anOpened(diskPath)

  assert.equal(node.states()[0]?.version, 2)
  assert.deepEqual(back.states(), node.states())
  await Promise.all([node.snapshot.close(), back.snapshot.close()])
})

test('an update is never applied to another channel', async (t) => {
  const folder = await aFolder(t)
  const path = join(folder, 'steps.log')
  const first = await anOpened(folder)
  for (const update of updates) first.apply(update)
  await first.snapshot.close()
  const bytes = await readFile(path)
  // Change the last character of the key of the last update, which then refers to another channel.
  bytes[bytes.lastIndexOf(anId().channelId) + anId().channelId.length - 1]! ^= 1
  await writeFile(path, bytes)

  const second = await anOpened(folder)

  assert.deepEqual(second.states(), statesAfter(updates.length - 1))
  assert.equal(second.snapshot.figures().corruptStretches, 1)
  await second.snapshot.close()
})

test('a snapshot of a channel in a frame of another one is corrupt', async (t) => {
  const folder = await aFolder(t)
  await writeFile(
    join(folder, 'steps.log'),
    printFrame({ key: anId('another'), update: encodeUpdate(updates[0]!) }),
  )

  const node = await anOpened(folder)

  assert.deepEqual(node.states(), [])
  assert.equal(node.snapshot.figures().corruptStretches, 1)
  await node.snapshot.close()
})

test('a truncated log is detected at the next start', async (t) => {
  const folder = await aFolder(t)
  const first = await anOpened(folder)
  for (const update of updates) first.apply(update)
  await first.snapshot.close()
  await truncate(join(folder, 'steps.log'), (await stat(join(folder, 'steps.log'))).size - 1)

  const second = await anOpened(folder)

  assert.deepEqual([second.snapshot.figures().isCut, second.snapshot.figures().corruptStretches], [true, 0])
  assert.deepEqual(second.states(), statesAfter(updates.length - 1))
  assert.deepEqual(await readdir(folder), ['steps.log'])
  await second.snapshot.close()
})

/** A log of some channels, all updates of one before those of the next. */
async function aLogOf(t: TestContext, channelIds: readonly string[]) {
  const folder = await aFolder(t)
  const node = await anOpened(folder)
  for (const channelId of channelIds)
    for (const message of updates)
      node.apply(
        message.kind === 'whole' ? { ...message, channel: aChannel({ channelId }) } : message,
        channelId,
      )
  await node.snapshot.close()
  const path = join(folder, 'steps.log')
  return { folder, path, bytes: await readFile(path), states: node.states() }
}

test('a flipped bit loses an update of its channel, and affects no other channel', async (t) => {
  const { folder, path, bytes, states } = await aLogOf(t, ['one', 'two', 'three'])
  // Inside the fourth update of the second channel, which then is at version 3.
  const fourth = frameStarts(bytes)[updates.length + 3]!
  bytes[fourth + 60]! ^= 1
  await writeFile(path, bytes)

  const node = await anOpened(folder)
  await node.snapshot.flush()

  const [one, two, three] = node.states()
  assert.deepEqual([one, three], [states[0], states[2]])
  assert.deepEqual(two?.timeline, statesAfter(3)[0]?.timeline)
  assert.deepEqual([two?.version, node.store.waiting()], [3, 1])
  assert.equal(node.snapshot.figures().corruptStretches, 1)
  await node.snapshot.close()
})

test('a corrupt log is kept aside unchanged, and a new one has what could be read', async (t) => {
  const { folder, path, bytes } = await aLogOf(t, ['one', 'two'])
  bytes[frameStarts(bytes)[3]! + 60]! ^= 1
  await writeFile(path, bytes)

  const first = await anOpened(folder)
  await first.snapshot.close()
  const second = await anOpened(folder)

  assert.equal(first.snapshot.figures().keptAside, join(folder, 'steps.corrupt'))
  assert.deepEqual(await readFile(join(folder, 'steps.corrupt')), bytes)
  assert.deepEqual((await readdir(folder)).toSorted(), ['steps.corrupt', 'steps.log'])
  assert.deepEqual(second.states(), first.states())
  assert.deepEqual(second.snapshot.figures().corruptStretches, 0)
  // Including updates after the gap: the feed does not have to send them again.
  for (const node of [first, second]) {
    node.store.apply(anId('one'), updates[3]!)
    assert.equal(node.store.find('one')?.version, updates.length)
  }
  await second.snapshot.close()
})

test('only the last corrupt log is kept', async (t) => {
  const { folder, path, bytes } = await aLogOf(t, ['one', 'two'])
  for (const frame of [3, 5]) {
    const damaged = Buffer.from(bytes)
    damaged[frameStarts(bytes)[frame]! + 60]! ^= 1
    await writeFile(path, damaged)
    const node = await anOpened(folder)
    await node.snapshot.close()
    assert.deepEqual(await readFile(join(folder, 'steps.corrupt')), damaged)
  }
  assert.deepEqual((await readdir(folder)).toSorted(), ['steps.corrupt', 'steps.log'])
})

test('updates that arrive while a corrupt log is rewritten are in the new one', async (t) => {
  const { folder, path, bytes } = await aLogOf(t, ['one', 'two'])
  bytes[frameStarts(bytes)[3]! + 60]! ^= 1
  await writeFile(path, bytes)

  const missing = [updates[3]!]
  // Called after the first channel has been written, without its missing update.
  const first = await anOpened(folder, () => {
    for (const update of missing.splice(0)) first.apply(update, 'one')
  })
  await first.snapshot.close()
  const second = await anOpened(folder)

  assert.equal(first.store.find('one')?.version, updates.length)
  assert.deepEqual(second.states(), first.states())
  await second.snapshot.close()
})

test('a corrupt log is replaced only after the new one is written, and is read again if that fails', async (t) => {
  const { folder, path, bytes } = await aLogOf(t, ['one', 'two'])
  bytes[frameStarts(bytes)[3]! + 60]! ^= 1
  await writeFile(path, bytes)

  const first = await anOpened(folder, () => {
    throw new Error('no room')
  })
  await first.snapshot.close()
  const kept = await readFile(path)
  const second = await anOpened(folder)

  assert.equal(first.snapshot.figures().faults, 1)
  assert.deepEqual(kept, bytes)
  assert.deepEqual(second.states(), first.states())
  await second.snapshot.close()
})

test('a new log is written and synced before it replaces the old one', async (t) => {
  const { folder, path, bytes } = await aLogOf(t, ['one', 'two'])
  bytes[frameStarts(bytes)[3]! + 60]! ^= 1
  await writeFile(path, bytes)
  await using handle = await open(path)
  const files = Object.getPrototypeOf(handle) as typeof handle
  const synced: { newBytes: number; logBytes: number }[] = []
  const { sync } = files
  t.mock.method(files, 'sync', async function (this: typeof handle) {
    const [newFile, log] = await Promise.all([stat(join(folder, 'steps.new')), stat(path)])
    synced.push({ newBytes: newFile.size, logBytes: log.size })
    await sync.call(this)
  })

  const node = await anOpened(folder)
  await node.snapshot.close()

  assert.deepEqual(synced, [{ newBytes: (await stat(path)).size, logBytes: bytes.length }])
})

/** The offset of each frame: its body length is in the first four bytes, and its checksum in the next four. */
function frameStarts(bytes: Buffer): readonly number[] {
  const starts: number[] = []
  for (let at = 0; at < bytes.length; at += 8 + bytes.readUInt32BE(at)) starts.push(at)
  return starts
}
