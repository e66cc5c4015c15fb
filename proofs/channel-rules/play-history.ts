import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { CUT_MARGIN_MS } from '@continuity/core/timeline/cut-margin'
import { createBreakChecker } from '@continuity/dev/check-breaks'
import { createDraw, type Draw } from '@continuity/dev/draw'
import type { OtherDecoder } from '@continuity/dev/scte35-decoder'
import { agreeOn } from '@continuity/playlist-validator/testing/other-parsers'
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
  /** Maximum time between two commands, and between two checks. */
  readonly commandEveryMs: number
  readonly checkEveryMs: number
  readonly aheadMs: number
  readonly longestProgramMs: number
  /** Two other parsers read the playlist at every n-th check. */
  readonly parseEvery: number
  /** Whether other nodes answer besides the first, each with a different implementation. */
  readonly hasOtherNodes: boolean
}

export interface Played {
  readonly controller: Controller
  readonly counts: Readonly<Record<PlayedCount, number>>
  /** Times with a playlist although the commands took the channel off air, or without one although it was on air. */
  readonly wrongStates: readonly string[]
  /** Values that other parsers read differently. */
  readonly disagreements: readonly string[]
  readonly violations: readonly string[]
  /** All answers with their times: rendering them again later must give the same. */
  readonly answered: readonly Answered[]
  readonly endMs: number
}

export type PlayedCount =
  /** Times at which all outputs were requested. */
  | 'checks'
  /** Rendered playlists, and those at times when the channel had to be on air. */
  | 'playlists'
  | 'due'
  /** Times at which it had to be off air, and was. */
  | 'off'
  /** Equal playlists from other nodes, and from a node with an empty cache. */
  | 'sameOfOtherNodes'
  | 'sameOfColdNodes'
  | 'deltas'
  | 'parsed'
  /** SCTE 35 sections parsed by another decoder. */
  | 'sections'
  | keyof ListedCounts

export interface Answered {
  readonly atMs: number
  readonly output: Output
  /** Digest of the text; undefined while the channel was off air. */
  readonly digest: string | undefined
}

export const RUNG = '360p'
export const digestOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : hash('sha1', text, 'base64')

/** A history ends after so many faults. */
const MOST_FAULTS = 200

const BEGIN_MS = Date.UTC(2026, 10, 15, 12)

const outputs = [
  outputOf(32_000, 'BOTH', 'ACTUAL'),
  outputOf(300_000, 'CUE', 'FULL_LENGTH'),
  outputOf(60_000, 'DATERANGE', 'FULL_LENGTH'),
]

/** Runs a channel through a random history, with nodes that receive each change at their own time. */
export function playHistory(seed: number, size: HistorySize, decoder: OtherDecoder): Played {
  const draw = createDraw(seed)
  const endMs = BEGIN_MS + size.minutes * 60_000
  const { aheadMs, longestProgramMs } = size
  const controller = createController(draw, { fromMs: BEGIN_MS, toMs: endMs, aheadMs, longestProgramMs })
  const clock = { nowMs: BEGIN_MS }
  const followers = createFollowers(draw, controller, clock, size.hasOtherNodes)
  const viewers = outputs.map(createViewer)
  const answered: Answered[] = []
  const runControlRoom = createControlRoom(draw, controller, size)
  const disagreements: string[] = []
  const wrongStates: string[] = []
  const listed = createListedCounter()
  // One checks breaks at full length, the others breaks at actual length.
  const checkers = outputs.map(() => createBreakChecker(decoder))
  const counts: Record<Exclude<PlayedCount, keyof ListedCounts | 'sections'>, number> = {
    checks: 0,
    playlists: 0,
    due: 0,
    off: 0,
    sameOfOtherNodes: 0,
    sameOfColdNodes: 0,
    deltas: 0,
    parsed: 0,
  }
  const countFaults = () =>
    viewers.reduce((sum, { validator }) => sum + validator.count(), wrongStates.length + disagreements.length)
  while (clock.nowMs < endMs && countFaults() < MOST_FAULTS) {
    clock.nowMs += draw.chance(0.1) ? 1 : 1 + draw.below(size.checkEveryMs)
    runControlRoom(clock.nowMs)
    for (const follower of followers) applyUntil(draw, controller, follower, clock.nowMs)
    counts.checks += 1
    const expected = controller.expected.at(clock.nowMs)
    for (const [at, output] of outputs.entries()) {
      const text = compareNodes(followers, { output, rung: RUNG, atMs: clock.nowMs })
      if (expected === 'on') counts.due += 1
      if (expected === 'off' && text === undefined) counts.off += 1
      const wrong = findWrongState(expected, text)
      if (wrong !== undefined) wrongStates.push(`output ${at} at ${clock.nowMs - BEGIN_MS}: ${wrong}`)
      if (text !== undefined) {
        counts.playlists += 1
        checkers[at]!.check(text)
        counts.sameOfOtherNodes += followers.length - 1
        if (at === 0) listed.add(text)
      }
      if (draw.chance(0.03)) {
        compareCold(controller, { output, rung: RUNG, atMs: clock.nowMs }, clock, text)
        if (text !== undefined) counts.sameOfColdNodes += 1
      }
      if (at === 0 || draw.chance(0.05)) answered.push({ atMs: clock.nowMs, output, digest: digestOf(text) })
      if (watch(viewers[at]!, followers[0]!.node, clock.nowMs, text, counts.checks % 2 === 0) === 'delta')
        counts.deltas += 1
      if (text !== undefined && counts.checks % size.parseEvery === 0) {
        disagreements.push(...agreeOn(text))
        counts.parsed += 1
      }
    }
  }
  const violations = viewers.flatMap(({ validator }) =>
    validator.violations.map(({ rule, atMs, detail }) => `${rule} at ${atMs - BEGIN_MS}: ${detail}`),
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

/** Sends commands and plans ahead; sometimes the control room is absent for longer than it has planned. */
function createControlRoom(draw: Draw, controller: Controller, size: HistorySize): (nowMs: number) => void {
  // Sometimes commands are rare.
  const everyMs = size.commandEveryMs * draw.one([0.3, 1, 10])
  let nextMs = BEGIN_MS
  let extendAtMs = BEGIN_MS + size.aheadMs / 2
  return (nowMs) => {
    if (nowMs >= nextMs) {
      controller.sendCommand(nowMs)
      nextMs = nowMs + 1 + draw.below(everyMs)
    }
    if (nowMs >= extendAtMs) {
      controller.extend(nowMs)
      extendAtMs = nowMs + Math.floor(size.aheadMs * draw.one([0.3, 0.5, 1.2]))
    }
  }
}

/** A node with its position in the feed. */
interface Follower {
  readonly node: Node
  /** When it applied its last change: changes come in sequence. */
  untilMs: number
  applied: number
}

function createFollowers(
  draw: Draw,
  { sources }: Controller,
  clock: { readonly nowMs: number },
  hasOtherNodes: boolean,
): Follower[] {
  const viewAt = (delayMs: number) => liveViewOf(sources, clock, delayMs)
  const nodes = [createNode(viewAt(0))]
  if (hasOtherNodes) {
    nodes.push(createPackedNode(viewAt(CUT_MARGIN_MS - 1), outputs))
    nodes.push(createNode(viewAt(draw.below(CUT_MARGIN_MS)), (run) => splitSpans(draw, run)))
  }
  return nodes.map((node) => ({ node, untilMs: 0, applied: 0 }))
}

/** Applies each change within the cut margin, after the one before it. */
function applyUntil(draw: Draw, { changes }: Controller, follower: Follower, nowMs: number): void {
  for (; follower.applied < changes.length; follower.applied += 1) {
    const { atMs, runs } = changes[follower.applied]!
    if (follower.untilMs < atMs) follower.untilMs = atMs + draw.below(CUT_MARGIN_MS)
    if (follower.untilMs > nowMs) return
    for (const run of runs) follower.node.apply(run)
  }
}

interface OutputRequest {
  readonly output: Output
  readonly rung: string
  readonly atMs: number
}

function compareNodes(followers: readonly Follower[], request: OutputRequest): string | undefined {
  const [text, ...others] = followers.map(({ node }) => node.answer(request))
  for (const [at, other] of others.entries()) {
    // Compared first: the diff in an assertion message of such texts is slow.
    if (other !== text) assert.equal(other, text, `node ${at + 1} differs at ${request.atMs - BEGIN_MS}`)
  }
  return text
}

function compareCold(
  controller: Controller,
  request: OutputRequest,
  clock: { readonly nowMs: number },
  text: string | undefined,
): void {
  const cold = printAt(
    controller.timeline(),
    request,
    liveViewOf(controller.sources, clock, 0),
    createTexts(),
  )
  assert.equal(cold, text, `an empty node differs at ${request.atMs - BEGIN_MS}`)
}

/** Every other time a second rendition is read too: a player that polls rarely misses some segments. */
function watch(
  viewer: Viewer,
  node: Node,
  atMs: number,
  text: string | undefined,
  hasSecond: boolean,
): 'full' | 'delta' {
  const { output } = viewer
  if (text !== undefined && output.style.skipTicks !== undefined && viewer.isWatching()) {
    viewer.checkDelta(atMs, RUNG, node.answer({ output, rung: RUNG, atMs, isDelta: true })!, text)
    return 'delta'
  }
  viewer.checkMedia(atMs, RUNG, text)
  if (hasSecond && output === outputs[0] && text !== undefined) {
    viewer.checkMedia(atMs, '720p', node.answer({ output, rung: '720p', atMs }))
  }
  return 'full'
}
