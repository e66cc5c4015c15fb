import assert from 'node:assert/strict'
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import { encodeStep } from '@continuity/core/feed/feed-codec'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { emptyPacked } from '@continuity/core/timeline/packed'
import { aRun, loops, plays } from '@continuity/core/timeline/testing/a-run'
import { createChannelStore } from './channel-store.ts'
import { openSnapshot } from './snapshot.ts'
import { printFrame } from './snapshot-frame.ts'
import { aChannel, aFeed, anId } from './testing/a-feed.ts'

const aDay = aRun({ startSeconds: -32, shownFromSeconds: 0 }, loops('lead', 20), plays('film', 100))

/** Changes of one channel, each of which says a little more. */
const steps: readonly FeedMessage[] = aFeed([
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

/** A node's memory and its disk, and what the disk has to say when it is opened. */
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
  const learn = (message: FeedMessage, channelId?: string) => {
    store.learn(anId(channelId), message)
    snapshot.append(anId(channelId), encodeStep(message))
  }
  return { store, snapshot, faults, clock, learn, states: () => [...store.states()] }
}

/** What a node knows after so many steps. */
function statesAfter(count: number): readonly ChannelState[] {
  const store = createChannelStore({
    clock: () => ORIGIN_MS,
    onGap: () => {},
    onChange: () => {},
    onLateCut: () => {},
  })
  for (const step of steps.slice(0, count)) store.learn(anId(), step)
  return [...store.states()]
}

test('a node that comes back knows what it knew', async (t) => {
  const folder = await aFolder(t)
  const first = await anOpened(folder)
  for (const step of steps) first.learn(step)
  await first.snapshot.flush()

  // Not closed: it was killed.
  const second = await anOpened(folder)

  assert.deepEqual(second.states(), first.states())
  assert.deepEqual(second.snapshot.figures(), { ...first.snapshot.figures(), isCut: false })
  await Promise.all([first.snapshot.close(), second.snapshot.close()])
})

test('wherever the file ends or is corrupt, a channel is as it was after some step, and goes on from there', async (t) => {
  const folder = await aFolder(t)
  const path = join(folder, 'steps.log')
  const first = await anOpened(folder)
  for (const step of steps) first.learn(step)
  await first.snapshot.close()
  const whole = await readFile(path)

  const prefixes = new Set<number>()
  for (let length = 0; length < whole.length; length += 37) {
    const isSpoilt = length % 2 === 0
    const bytes = Buffer.from(isSpoilt ? whole : whole.subarray(0, length))
    if (isSpoilt) bytes[length]! ^= 0x55
    await writeFile(path, bytes)
    const opened = await anOpened(folder)
    const version = opened.states()[0]?.version ?? 0
    prefixes.add(version)
    assert.deepEqual(opened.states(), statesAfter(version), `${length}`)
    for (const step of steps.slice(version)) opened.learn(step)
    await opened.snapshot.close()
    const again = await anOpened(folder)
    assert.deepEqual([again.states(), again.snapshot.figures().isCut], [statesAfter(steps.length), false])
    await again.snapshot.close()
  }

  // The whole of it too, where only a length was wrong.
  assert.deepEqual(
    [...prefixes].toSorted((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
})

test('a frame that was cut off is removed before anything is written behind it', async (t) => {
  const folder = await aFolder(t)
  const path = join(folder, 'steps.log')
  const first = await anOpened(folder)
  for (const step of steps) first.learn(step)
  await first.snapshot.close()
  const { size } = await stat(path)
  await truncate(path, size - 3)

  const second = await anOpened(folder)
  second.learn(steps.at(-1)!)
  await second.snapshot.close()

  assert.equal(second.snapshot.figures().isCut, true)
  const third = await anOpened(folder)
  t.after(() => third.snapshot.close())
  const { isCut, corruptStretches } = third.snapshot.figures()
  assert.deepEqual([isCut, corruptStretches], [false, 0])
  assert.deepEqual(third.states(), statesAfter(steps.length))
})

test('a log that has grown to twice of what it says is written anew, with what comes meanwhile', async (t) => {
  const folder = await aFolder(t)
  const first = await anOpened(folder)
  const title = 'x'.repeat(100_000)
  for (let version = 1; version <= 60; version += 1) {
    const channel = aChannel({ title: `${title}${version}` })
    first.learn({ kind: 'whole', epoch: 1, version, channel, timeline: emptyPacked })
    // Some are written in between, and some wait while it is written anew.
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

test('what was being written anew when a node was killed does not count', async (t) => {
  const folder = await aFolder(t)
  const first = await anOpened(folder)
  for (const step of steps) first.learn(step)
  await first.snapshot.close()
  await writeFile(join(folder, 'steps.new'), 'half of it')

  const second = await anOpened(folder)

  assert.deepEqual(second.states(), statesAfter(steps.length))
  assert.deepEqual(await readdir(folder), ['steps.log'])
  await second.snapshot.close()
})

test('a disk that fails stops nobody, and is written in full when it is back', async (t) => {
  const folder = await aFolder(t)
  // A file is in the place of the folder.
  const place = join(folder, 'disk')
  await writeFile(place, '')
  const node = await anOpened(place)
  for (const step of steps.slice(0, 5)) node.learn(step)
  await rm(place)
  await mkdir(place)

  node.clock.nowMs += 59_999
  node.snapshot.retry()
  await node.snapshot.flush()
  const early = await readdir(place)
  node.clock.nowMs += 1
  node.snapshot.retry()
  for (const step of steps.slice(5)) node.learn(step)
  await node.snapshot.flush()
  const back = await anOpened(place)

  assert.equal(node.faults.length, 1)
  assert.deepEqual(early, [])
  assert.deepEqual(node.states(), statesAfter(steps.length))
  assert.deepEqual(back.states(), node.states())
  await Promise.all([node.snapshot.close(), back.snapshot.close()])
})

test('what is learnt while the log is written anew is in it too', async (t) => {
  const folder = await aFolder(t)
  const place = join(folder, 'disk')
  await writeFile(place, '')
  const channel = aChannel({ title: 'x'.repeat(300_000) })
  const whole: FeedMessage = { kind: 'whole', epoch: 1, version: 1, channel, timeline: emptyPacked }
  const left = aFeed([aDay], channel).slice(1)
  // Its channel has been written by then.
  const node = await anOpened(place, () => {
    for (const step of left.splice(0)) node.learn(step)
  })
  node.learn(whole)
  await rm(place)
  await mkdir(place)

  node.clock.nowMs += 60_000
  node.snapshot.retry()
  await node.snapshot.flush()
  const back = await anOpened(place)

  assert.equal(node.states()[0]?.version, 2)
  assert.deepEqual(back.states(), node.states())
  await Promise.all([node.snapshot.close(), back.snapshot.close()])
})

test('a step is never taken for one of another channel', async (t) => {
  const folder = await aFolder(t)
  const path = join(folder, 'steps.log')
  const first = await anOpened(folder)
  for (const step of steps) first.learn(step)
  await first.snapshot.close()
  const bytes = await readFile(path)
  // The last character of the key of the last step, so that it names another channel.
  bytes[bytes.lastIndexOf(anId().channelId) + anId().channelId.length - 1]! ^= 1
  await writeFile(path, bytes)

  const second = await anOpened(folder)

  assert.deepEqual(second.states(), statesAfter(steps.length - 1))
  assert.equal(second.snapshot.figures().corruptStretches, 1)
  await second.snapshot.close()
})

test('a snapshot of a channel in a frame of another one is corrupt', async (t) => {
  const folder = await aFolder(t)
  await writeFile(
    join(folder, 'steps.log'),
    printFrame({ key: anId('another'), step: encodeStep(steps[0]!) }),
  )

  const node = await anOpened(folder)

  assert.deepEqual(node.states(), [])
  assert.equal(node.snapshot.figures().corruptStretches, 1)
  await node.snapshot.close()
})

test('a log that somebody cut short while it was written is found out at the next start', async (t) => {
  const folder = await aFolder(t)
  const first = await anOpened(folder)
  for (const step of steps) first.learn(step)
  await first.snapshot.close()
  await truncate(join(folder, 'steps.log'), (await stat(join(folder, 'steps.log'))).size - 1)

  const second = await anOpened(folder)

  assert.deepEqual([second.snapshot.figures().isCut, second.snapshot.figures().corruptStretches], [true, 0])
  assert.deepEqual(second.states(), statesAfter(steps.length - 1))
  assert.deepEqual(await readdir(folder), ['steps.log'])
  await second.snapshot.close()
})

/** A log of some channels, all steps of one before those of the next, and where the frames of each begin. */
async function aLogOf(t: TestContext, channelIds: readonly string[]) {
  const folder = await aFolder(t)
  const node = await anOpened(folder)
  for (const channelId of channelIds)
    for (const message of steps)
      node.learn(
        message.kind === 'whole' ? { ...message, channel: aChannel({ channelId }) } : message,
        channelId,
      )
  await node.snapshot.close()
  const path = join(folder, 'steps.log')
  return { folder, path, bytes: await readFile(path), states: node.states() }
}

test('a flipped bit takes a step of its channel, and no other channel', async (t) => {
  const { folder, path, bytes, states } = await aLogOf(t, ['one', 'two', 'three'])
  // Inside the fourth step of the second channel, which is at version 3 then.
  const fourth = frameStarts(bytes)[steps.length + 3]!
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

test('a corrupt log is kept aside as it was, and a new one has what could be read', async (t) => {
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
  // Those behind the gap too: the feed need not tell them again.
  for (const node of [first, second]) {
    node.store.learn(anId('one'), steps[3]!)
    assert.equal(node.store.find('one')?.version, steps.length)
  }
  await second.snapshot.close()
})

test('of corrupt logs the last one is kept', async (t) => {
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

test('what comes while a corrupt log is written anew is in the new one', async (t) => {
  const { folder, path, bytes } = await aLogOf(t, ['one', 'two'])
  bytes[frameStarts(bytes)[3]! + 60]! ^= 1
  await writeFile(path, bytes)

  const missing = [steps[3]!]
  // The first channel has been written by then, without the step that it misses.
  const first = await anOpened(folder, () => {
    for (const step of missing.splice(0)) first.learn(step, 'one')
  })
  await first.snapshot.close()
  const second = await anOpened(folder)

  assert.equal(first.store.find('one')?.version, steps.length)
  assert.deepEqual(second.states(), first.states())
  await second.snapshot.close()
})

test('a corrupt log stays in place until the new one is written, and is read again where that fails', async (t) => {
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

test('a new log is written, then synced, and only then takes the place of the old one', async (t) => {
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

/** Where each frame begins: the length of its body is in its first four bytes, and its checksum in the next four. */
function frameStarts(bytes: Buffer): readonly number[] {
  const starts: number[] = []
  for (let at = 0; at < bytes.length; at += 8 + bytes.readUInt32BE(at)) starts.push(at)
  return starts
}
