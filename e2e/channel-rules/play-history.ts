import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { GUARD_MS } from '@continuity/core/timeline/guard'
import type { ISCTE35 } from 'scte35/build/lib/scte35.js'
import { createDraw, type Draw } from '../draw.ts'
import { createBreakChecker } from '../scte35/check-breaks.ts'
import { agreeOn } from '../walker/other-parsers.ts'
import { type Controller, createController, liveViewOf } from './controller.ts'
import { createListedCounter, type ListedCounts } from './listed-counts.ts'
import {
  createNode,
  createPackedNode,
  createTexts,
  type Node,
  type Output,
  outputOf,
  printAt,
} from './node.ts'
import { splitSpans } from './split-spans.ts'
import { createViewer, type Viewer } from './viewer.ts'

export interface HistorySize {
  readonly minutes: number
  /** Between two orders, and between two looks, at most. */
  readonly orderMs: number
  readonly lookMs: number
  readonly aheadMs: number
  readonly longestProgramMs: number
  /** Every so many looks two other parsers read the playlist too. */
  readonly parseEvery: number
  /** Whether other nodes answer beside the first, each in its own way. */
  readonly hasOtherNodes: boolean
}

export interface Played {
  readonly controller: Controller
  readonly counts: Readonly<Record<PlayedCount, number>>
  /** Where the channel had no playlist although its orders put it on the air, or one although they took it off. */
  readonly wrongStates: readonly string[]
  /** Where other parsers read something else. */
  readonly disagreements: readonly string[]
  readonly violations: readonly string[]
  /** What was answered, and when: it has to be the same ever after. */
  readonly answered: readonly Answered[]
  readonly endMs: number
}

export type PlayedCount =
  /** Times at which all outputs were requested. */
  | 'looks'
  /** Texts that were rendered, and how many of them stand for a time when the channel had to be on the air. */
  | 'playlists'
  | 'due'
  /** Times at which it had to be off the air, and was. */
  | 'off'
  /** Playlists of other nodes, and of one that has everything to render anew, that were the same. */
  | 'sameOfOtherNodes'
  | 'sameOfColdNodes'
  | 'deltas'
  | 'parsed'
  /** Sections of SCTE-35 that another decoder has read. */
  | 'sections'
  | keyof ListedCounts

export interface Answered {
  readonly atMs: number
  readonly output: Output
  /** Of the text; undefined while the channel was off the air. */
  readonly digest: string | undefined
}

export const RUNG = '360p'
export const digestOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : hash('sha1', text, 'base64')

/** After so many faults a history is certainly wrong: it ends there. */
const MOST_FAULTS = 200

const BEGIN_MS = Date.UTC(2026, 10, 15, 12)

const outputs = [
  outputOf(32_000, 'BOTH', 'ACTUAL'),
  outputOf(300_000, 'CUE', 'FULL_LENGTH'),
  outputOf(60_000, 'DATERANGE', 'FULL_LENGTH'),
]

/** Lets a channel live through a history by chance, with nodes that learn of everything at times of their own. */
export function playHistory(seed: number, size: HistorySize, decoder: ISCTE35): Played {
  const draw = createDraw(seed)
  const endMs = BEGIN_MS + size.minutes * 60_000
  const { aheadMs, longestProgramMs } = size
  const controller = createController(draw, { fromMs: BEGIN_MS, toMs: endMs, aheadMs, longestProgramMs })
  const clock = { nowMs: BEGIN_MS }
  const learners = createLearners(draw, controller, clock, size.hasOtherNodes)
  const viewers = outputs.map(createViewer)
  const answered: Answered[] = []
  const goOn = createTrouble(draw, controller, size)
  const disagreements: string[] = []
  const wrongStates: string[] = []
  const listed = createListedCounter()
  // One with the whole length of every break, and one with breaks that are cut short.
  const checkers = outputs.map(() => createBreakChecker(decoder))
  const counts: Record<Exclude<PlayedCount, keyof ListedCounts | 'sections'>, number> = {
    looks: 0,
    playlists: 0,
    due: 0,
    off: 0,
    sameOfOtherNodes: 0,
    sameOfColdNodes: 0,
    deltas: 0,
    parsed: 0,
  }
  const countFaults = () =>
    viewers.reduce((sum, { walker }) => sum + walker.count(), wrongStates.length + disagreements.length)
  while (clock.nowMs < endMs && countFaults() < MOST_FAULTS) {
    clock.nowMs += draw.chance(0.1) ? 1 : 1 + draw.below(size.lookMs)
    goOn(clock.nowMs)
    for (const learner of learners) learnUntil(draw, controller, learner, clock.nowMs)
    counts.looks += 1
    const expected = controller.expected.at(clock.nowMs)
    for (const [at, output] of outputs.entries()) {
      const text = compareNodes(learners, { output, rung: RUNG, atMs: clock.nowMs })
      if (expected === 'on') counts.due += 1
      if (expected === 'off' && text === undefined) counts.off += 1
      const wrong = findWrongState(expected, text)
      if (wrong !== undefined) wrongStates.push(`output ${at} at ${clock.nowMs - BEGIN_MS}: ${wrong}`)
      if (text !== undefined) {
        counts.playlists += 1
        checkers[at]!.see(text)
        counts.sameOfOtherNodes += learners.length - 1
        if (at === 0) listed.see(text)
      }
      if (draw.chance(0.03)) {
        compareCold(controller, { output, rung: RUNG, atMs: clock.nowMs }, clock, text)
        if (text !== undefined) counts.sameOfColdNodes += 1
      }
      if (at === 0 || draw.chance(0.05)) answered.push({ atMs: clock.nowMs, output, digest: digestOf(text) })
      if (watch(viewers[at]!, learners[0]!.node, clock.nowMs, text, counts.looks % 2 === 0) === 'delta')
        counts.deltas += 1
      if (text !== undefined && counts.looks % size.parseEvery === 0) {
        disagreements.push(...agreeOn(text))
        counts.parsed += 1
      }
    }
  }
  const violations = viewers.flatMap(({ walker }) =>
    walker.violations.map(({ rule, atMs, detail }) => `${rule} at ${atMs - BEGIN_MS}: ${detail}`),
  )
  violations.push(...checkers.flatMap(({ faults }) => faults))
  return {
    controller,
    counts: {
      ...counts,
      ...listed.counts(),
      sections: checkers.reduce((sum, checker) => sum + checker.sections(), 0),
    },
    wrongStates,
    disagreements,
    violations,
    answered,
    endMs: clock.nowMs,
  }
}

function findWrongState(expected: 'on' | 'off' | undefined, text: string | undefined): string | undefined {
  if (expected === 'on' && text === undefined) return 'no playlist while on the air'
  if (expected === 'on' && text!.endsWith('#EXT-X-ENDLIST\n'))
    return 'the playlist has ended while on the air'
  return expected === 'off' && text !== undefined ? 'a playlist while off the air' : undefined
}

/** Orders, and plans that are carried on; now and then the control room is away for longer than it had planned. */
function createTrouble(draw: Draw, controller: Controller, size: HistorySize): (nowMs: number) => void {
  // Some control rooms have a quiet day.
  const orderMs = size.orderMs * draw.one([0.3, 1, 10])
  let orderAtMs = BEGIN_MS
  let extendAtMs = BEGIN_MS + size.aheadMs / 2
  return (nowMs) => {
    if (nowMs >= orderAtMs) {
      controller.order(nowMs)
      orderAtMs = nowMs + 1 + draw.below(orderMs)
    }
    if (nowMs >= extendAtMs) {
      controller.extend(nowMs)
      extendAtMs = nowMs + Math.floor(size.aheadMs * draw.one([0.3, 0.5, 1.2]))
    }
  }
}

interface Learner {
  readonly node: Node
  /** When it has learnt what it learnt last: changes come in order. */
  untilMs: number
  learnt: number
}

function createLearners(
  draw: Draw,
  { sources }: Controller,
  clock: { readonly nowMs: number },
  hasOtherNodes: boolean,
): Learner[] {
  const viewAt = (delayMs: number) => liveViewOf(sources, clock, delayMs)
  const nodes = [createNode(viewAt(0))]
  if (hasOtherNodes) {
    nodes.push(createPackedNode(viewAt(GUARD_MS - 1), outputs))
    nodes.push(createNode(viewAt(draw.below(GUARD_MS)), (run) => splitSpans(draw, run)))
  }
  return nodes.map((node) => ({ node, untilMs: 0, learnt: 0 }))
}

/** A change is learnt within the guard, after the one before it. */
function learnUntil(draw: Draw, { changes }: Controller, learner: Learner, nowMs: number): void {
  for (; learner.learnt < changes.length; learner.learnt += 1) {
    const { atMs, runs } = changes[learner.learnt]!
    if (learner.untilMs < atMs) learner.untilMs = atMs + draw.below(GUARD_MS)
    if (learner.untilMs > nowMs) return
    for (const run of runs) learner.node.learn(run)
  }
}

interface Question {
  readonly output: Output
  readonly rung: string
  readonly atMs: number
}

function compareNodes(learners: readonly Learner[], asked: Question): string | undefined {
  const [text, ...others] = learners.map(({ node }) => node.answer(asked))
  for (const [at, other] of others.entries()) {
    // Compared first: to put such texts side by side for a message is slow.
    if (other !== text)
      assert.equal(other, text, `node ${at + 1} answers otherwise at ${asked.atMs - BEGIN_MS}`)
  }
  return text
}

function compareCold(
  controller: Controller,
  asked: Question,
  clock: { readonly nowMs: number },
  text: string | undefined,
): void {
  const cold = printAt(controller.timeline(), asked, liveViewOf(controller.sources, clock, 0), createTexts())
  assert.equal(cold, text, `cold, and with all knowledge, it reads otherwise at ${asked.atMs - BEGIN_MS}`)
}

/** A second rendition is read too, every other time: a player that comes rarely does not see all that is listed. */
function watch(
  viewer: Viewer,
  node: Node,
  atMs: number,
  text: string | undefined,
  hasSecond: boolean,
): 'whole' | 'delta' {
  const { output } = viewer
  if (text !== undefined && output.style.skipTicks !== undefined && viewer.isWatching()) {
    viewer.seeDelta(atMs, RUNG, node.answer({ output, rung: RUNG, atMs, isDelta: true })!, text)
    return 'delta'
  }
  viewer.see(atMs, RUNG, text)
  if (hasSecond && output === outputs[0] && text !== undefined) {
    viewer.see(atMs, '720p', node.answer({ output, rung: '720p', atMs }))
  }
  return 'whole'
}
