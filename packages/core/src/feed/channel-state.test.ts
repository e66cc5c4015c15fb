import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyPacked, emptyPacked, packRun, settlePacked } from '../timeline/packed.ts'
import { aRun, plays } from '../timeline/testing/a-run.ts'
import { applyStep, type ChannelState } from './channel-state.ts'
import type { ChangeMessage, FeedMessage, FeedVersion } from './feed-message.ts'
import { aFeedChannel, anyFeed, type TwofoldStep } from './testing/a-feed.ts'

const RUNS = { numRuns: 60 }

test('steps in order lead to what was committed, each told once or twice', () => {
  fc.assert(
    fc.property(anyFeed, fc.boolean(), (feed, isTwice) => {
      const messages = [feed[0]!.whole, ...feed.slice(1).map(({ change }) => change)]

      const state = hear(messages.flatMap((it) => (isTwice ? [it, it] : [it])))

      assert.deepEqual(state, feed.at(-1)!.state)
    }),
    RUNS,
  )
})

test('in any order, with wholes between, a state is one that was committed, and the last whole leads to the last', () => {
  fc.assert(
    fc.property(anyFeedWithOrder, ([feed, order]) => {
      let state: ChannelState | undefined
      for (const [at, isWhole] of order) {
        const { whole, change } = feed[at]!
        state = learn(state, isWhole ? whole : change)
        if (state !== undefined) assert.deepEqual(state, feed[state.version - 1]!.state)
      }

      assert.deepEqual(learn(state, feed.at(-1)!.whole), feed.at(-1)!.state)
    }),
    RUNS,
  )
})

test('two nodes that heard the same steps in different orders say the same once both have the last', () => {
  fc.assert(
    fc.property(anyFeedWithOrder, ([feed, order]) => {
      const heard: FeedMessage[] = order.map(([at, isWhole]) =>
        isWhole ? feed[at]!.whole : feed[at]!.change,
      )
      const last = feed.at(-1)!.whole

      assert.deepEqual(hear([...heard, last]), hear([...heard.toReversed(), last]))
    }),
    RUNS,
  )
})

test('a change that skips one is a gap, and leaves everything as it was', () => {
  const state = { epoch: 1, version: 4, channel: aFeedChannel(), timeline: emptyPacked }

  assert.deepEqual(applyStep(state, aChange(6)), { kind: 'gap' })
  assert.deepEqual(applyStep(undefined, aChange(1)), { kind: 'gap' })
})

test('a step that is known or older changes nothing, also a whole', () => {
  const state = { epoch: 1, version: 4, channel: aFeedChannel(), timeline: emptyPacked }
  const older = {
    kind: 'whole',
    epoch: 1,
    version: 4,
    channel: aFeedChannel('South'),
    timeline: emptyPacked,
  } as const

  assert.deepEqual(applyStep(state, aChange(4)), { kind: 'known' })
  assert.deepEqual(applyStep(state, older), { kind: 'known' })
})

test('a change adds its runs, and says a new title only where there is one', () => {
  const first = aRun({}, plays('one', 10))
  const cut = aRun({ number: 2, sequence: 3, startSeconds: 9.6, discontinuity: null }, plays('two', 5))
  const state = { epoch: 1, version: 4, channel: aFeedChannel(), timeline: applyPacked(emptyPacked, first) }
  const settled = { number: 2, firstSequence: 3, discontinuity: 1 }

  const step = applyStep(state, { ...aChange(5), runs: [packRun(cut)], settled: [settled] })
  const renamed = applyStep(state, { ...aChange(5), channel: aFeedChannel('South') })

  assert.equal(step.kind, 'applied')
  assert.deepEqual(step.state.timeline, settlePacked(applyPacked(state.timeline, cut), settled))
  assert.equal(step.state.channel, state.channel)
  assert.deepEqual(renamed.kind === 'applied' && renamed.state.channel.title, 'South')
})

test('an update of a higher epoch counts whatever its version, one of a lower epoch never', () => {
  const restored = aSnapshot({ epoch: 5, version: 2 }, 'Restored')
  const state = { ...restored, epoch: 5, version: 2 }

  const followed = applyStep({ ...state, epoch: 1, version: 90 }, restored)

  assert.equal(followed.kind === 'applied' && followed.state.channel.title, 'Restored')
  assert.deepEqual(applyStep(state, aSnapshot({ epoch: 1, version: 91 }, 'Before')), { kind: 'known' })
  assert.deepEqual(applyStep(state, { ...aChange(3), epoch: 1 }), { kind: 'known' })
})

test('a delta of a higher epoch waits for the snapshot of that epoch', () => {
  const state = { epoch: 1, version: 4, channel: aFeedChannel(), timeline: emptyPacked }

  assert.deepEqual(applyStep(state, { ...aChange(5), epoch: 2 }), { kind: 'gap' })
})

const aSnapshot = ({ epoch, version }: FeedVersion, title: string) =>
  ({ kind: 'whole', epoch, version, channel: aFeedChannel(title), timeline: emptyPacked }) as const

const anyFeedWithOrder = anyFeed.chain((feed) =>
  fc.tuple(
    fc.constant(feed),
    fc.array(fc.tuple(fc.nat(feed.length - 1), fc.boolean()), { minLength: feed.length, maxLength: 30 }),
  ),
) satisfies fc.Arbitrary<[readonly TwofoldStep[], [number, boolean][]]>

const aChange = (version: number): ChangeMessage => ({
  kind: 'change',
  epoch: 1,
  version,
  channel: null,
  runs: [],
  settled: [],
})

const hear = (messages: readonly FeedMessage[]): ChannelState | undefined =>
  messages.reduce<ChannelState | undefined>(learn, undefined)

function learn(state: ChannelState | undefined, message: FeedMessage): ChannelState | undefined {
  const step = applyStep(state, message)
  return step.kind === 'applied' ? step.state : state
}
