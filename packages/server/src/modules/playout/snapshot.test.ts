import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
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

test('wherever the file ends or is spoilt, what stands before is known, and it goes on from there', async (t) => {
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

  assert.deepEqual(
    [...prefixes].toSorted((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  )
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
  assert.equal(second.snapshot.figures().isCut, true)
  await second.snapshot.close()
})

test('a log that somebody cut short while it was written is found out at the next start', async (t) => {
  const folder = await aFolder(t)
  const first = await anOpened(folder)
  for (const step of steps) first.learn(step)
  await first.snapshot.close()
  await truncate(join(folder, 'steps.log'), (await stat(join(folder, 'steps.log'))).size - 1)

  const second = await anOpened(folder)

  assert.equal(second.snapshot.figures().isCut, true)
  assert.deepEqual(second.states(), statesAfter(steps.length - 1))
  await second.snapshot.close()
})
