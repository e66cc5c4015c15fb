import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyPacked, emptyPacked, packRun, settlePacked } from '../timeline/codec/packed.ts'
import { aRun, plays } from '../timeline/testing/a-run.ts'
import { applyUpdate, type ChannelState } from './channel-state.ts'
import type { DeltaMessage, FeedMessage, FeedVersion } from './feed-message.ts'
import { aFeedChannel, anyFeed, type FeedUpdate } from './testing/a-feed.ts'

const RUNS = { numRuns: 60 }

test('updates in order lead to the committed state, also if each is delivered twice', () => {
  fc.assert(
    fc.property(anyFeed, fc.boolean(), (feed, isTwice) => {
      const messages = [feed[0]!.snapshot, ...feed.slice(1).map(({ delta }) => delta)]

      const state = receive(messages.flatMap((it) => (isTwice ? [it, it] : [it])))

      assert.deepEqual(state, feed.at(-1)!.state)
    }),
    RUNS,
  )
})

test('in any order, with snapshots in between, the state is always a committed one, and the last snapshot leads to the last state', () => {
  fc.assert(
    fc.property(anyFeedWithOrder, ([feed, order]) => {
      let state: ChannelState | undefined
      for (const [at, isSnapshot] of order) {
        const { snapshot, delta } = feed[at]!
        state = applyTo(state, isSnapshot ? snapshot : delta)
        if (state !== undefined) assert.deepEqual(state, feed[state.version - 1]!.state)
      }

      assert.deepEqual(applyTo(state, feed.at(-1)!.snapshot), feed.at(-1)!.state)
    }),
    RUNS,
  )
})

test('two nodes that received the same updates in different orders agree once both have the last', () => {
  fc.assert(
    fc.property(anyFeedWithOrder, ([feed, order]) => {
      const received: FeedMessage[] = order.map(([at, isSnapshot]) =>
        isSnapshot ? feed[at]!.snapshot : feed[at]!.delta,
      )
      const last = feed.at(-1)!.snapshot

      assert.deepEqual(receive([...received, last]), receive([...received.toReversed(), last]))
    }),
    RUNS,
  )
})

test('a delta that skips a version is a gap, and changes nothing', () => {
  const state = { epoch: 1, version: 4, channel: aFeedChannel(), timeline: emptyPacked }

  assert.deepEqual(applyUpdate(state, aChange(6)), { kind: 'gap' })
  assert.deepEqual(applyUpdate(undefined, aChange(1)), { kind: 'gap' })
})

test('an update that is known or older changes nothing, also a snapshot', () => {
  const state = { epoch: 1, version: 4, channel: aFeedChannel(), timeline: emptyPacked }
  const older = {
    kind: 'whole',
    epoch: 1,
    version: 4,
    channel: aFeedChannel('South'),
    timeline: emptyPacked,
  } as const

  assert.deepEqual(applyUpdate(state, aChange(4)), { kind: 'known' })
  assert.deepEqual(applyUpdate(state, older), { kind: 'known' })
})

test('a delta adds its runs, and changes the title only if it contains one', () => {
  const first = aRun({}, plays('one', 10))
  const cut = aRun({ number: 2, sequence: 3, startSeconds: 9.6, discontinuity: null }, plays('two', 5))
  const state = { epoch: 1, version: 4, channel: aFeedChannel(), timeline: applyPacked(emptyPacked, first) }
  const settled = { number: 2, firstSequence: 3, discontinuity: 1 }

  const step = applyUpdate(state, { ...aChange(5), runs: [packRun(cut)], settled: [settled] })
  const renamed = applyUpdate(state, { ...aChange(5), channel: aFeedChannel('South') })

  assert.equal(step.kind, 'applied')
  assert.deepEqual(step.state.timeline, settlePacked(applyPacked(state.timeline, cut), settled))
  assert.equal(step.state.channel, state.channel)
  assert.deepEqual(renamed.kind === 'applied' && renamed.state.channel.title, 'South')
})

test('an update of a higher epoch counts whatever its version, one of a lower epoch never', () => {
  const restored = aSnapshot({ epoch: 5, version: 2 }, 'Restored')
  const state = { ...restored, epoch: 5, version: 2 }

  const followed = applyUpdate({ ...state, epoch: 1, version: 90 }, restored)

  assert.equal(followed.kind === 'applied' && followed.state.channel.title, 'Restored')
  assert.deepEqual(applyUpdate(state, aSnapshot({ epoch: 1, version: 91 }, 'Before')), { kind: 'known' })
  assert.deepEqual(applyUpdate(state, { ...aChange(3), epoch: 1 }), { kind: 'known' })
})

test('a delta of a higher epoch waits for the snapshot of that epoch', () => {
  const state = { epoch: 1, version: 4, channel: aFeedChannel(), timeline: emptyPacked }

  assert.deepEqual(applyUpdate(state, { ...aChange(5), epoch: 2 }), { kind: 'gap' })
})

const aSnapshot = ({ epoch, version }: FeedVersion, title: string) =>
  ({ kind: 'whole', epoch, version, channel: aFeedChannel(title), timeline: emptyPacked }) as const

const anyFeedWithOrder = anyFeed.chain((feed) =>
  fc.tuple(
    fc.constant(feed),
    fc.array(fc.tuple(fc.nat(feed.length - 1), fc.boolean()), { minLength: feed.length, maxLength: 30 }),
  ),
) satisfies fc.Arbitrary<[readonly FeedUpdate[], [number, boolean][]]>

const aChange = (version: number): DeltaMessage => ({
  kind: 'change',
  epoch: 1,
  version,
  channel: null,
  runs: [],
  settled: [],
})

const receive = (messages: readonly FeedMessage[]): ChannelState | undefined =>
  messages.reduce<ChannelState | undefined>(applyTo, undefined)

function applyTo(state: ChannelState | undefined, message: FeedMessage): ChannelState | undefined {
  const step = applyUpdate(state, message)
  return step.kind === 'applied' ? step.state : state
}
