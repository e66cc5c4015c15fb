import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { CUT_MARGIN_MS } from '@continuity/core/timeline/cut-margin'
import { createBreakChecker } from '@continuity/dev/check-breaks'
import { createDraw, type Draw } from '@continuity/dev/draw'
import { measured } from '@continuity/dev/measured'
import { type OtherDecoder, openOtherDecoder } from '@continuity/dev/scte35-decoder'
import { agreeOn } from '@continuity/playlist-validator/testing/other-parsers'
import { proof } from './proof.ts'
import { type Controller, createController, liveViewOf } from './shared/channel-control.ts'
import {
  createListedCounter,
  createNode,
  createPackedNode,
  createTexts,
  createViewer,
  type Node,
  outputOf,
  type PlaylistRequest,
  printAt,
  splitSpans,
  type Viewer,
} from './shared/channel-nodes.ts'
import { type Answered, checkHistory } from './shared/check-history.ts'

interface Histories {
  readonly histories: number
}

/** Kinds of commands, as the controller names them. */
const cuts = ['start', 'stop', 'stopAtEnd', 'override', 'rescue', 'returnToSchedule']
const changes = ['replace', 'becomeReady', 'insertBreak', 'endBreak', 'cue']

export const channelHistories = proof<Histories>({
  name: 'channel-histories',
  title: 'Channels through random histories',
  promise:
    'A channel goes through random schedules, overrides, returns, rescues, ad breaks, stalls, replaced programs, stops ' +
    'and starts. Three nodes receive each change at a time of their own, within the 1.5 s that a change may take; one ' +
    'keeps its timeline packed, one has every span in two, all have cached what they rendered before, and now and then ' +
    'an empty one is queried as well. They return the same bytes for three outputs at every time. A playlist exists ' +
    'whenever the commands put the channel on the air, and not long after they took it off; the playlist validator finds ' +
    'no fault in any. Whatever was returned is rendered again by the final timeline; the as-run record has the very ' +
    'segments of the playlists, the guide has its programs, a program that nothing interrupts begins and ends within ' +
    '0.8 s of its times without a gap; and the sequence in which programs are listed to the planner changes nothing.',
  sizes: { small: { histories: 60 }, full: { histories: 20_000 } },
  async run({ size: { histories }, seed, log }) {
    // Each can be played again alone, by its seed.
    const seeds = Array.from({ length: histories }, (_, at) => seed * 1_000_000 + at)
    const { counts, faults } = await playInThreads(seeds, (done, so) => {
      if (done % 1_000 === 0) log(`${done} histories, ${so.faults.length} faults`)
    })
    for (const fault of faults.slice(0, 10)) log(fault)
    const count = (name: string) => counts[name] ?? 0
    // Minimums are about half of the values measured per history.
    return measured({
      histories: [count('played'), { is: histories }],
      changes_of_timelines: [count('changes'), { atLeast: 10 * histories }],
      commands_of_the_rarest_kind: [
        Math.min(...[...cuts, ...changes].map((kind) => count(`command ${kind}`))),
        { atLeast: 0.3 * histories },
      ],
      playlists: [count('playlists'), { atLeast: 200 * histories }],
      playlists_that_were_due: [count('due'), { atLeast: 150 * histories }],
      requests_while_off_air: [count('off'), { atLeast: histories }],
      wrongly_on_or_off_air: [count('wrongStates'), { is: 0 }],
      same_playlists_of_other_nodes: [count('sameOfOtherNodes'), { atLeast: 400 * histories }],
      same_playlists_of_empty_nodes: [count('sameOfColdNodes'), { atLeast: 5 * histories }],
      delta_updates: [count('deltas'), { atLeast: 50 * histories }],
      segments_listed: [count('segments'), { atLeast: 100 * histories }],
      discontinuities_listed: [count('discontinuities'), { atLeast: 10 * histories }],
      ad_breaks_listed: [count('breaks'), { atLeast: 1.5 * histories }],
      scte35_sections_read_by_another_decoder: [count('sections'), { atLeast: 3 * histories }],
      playlists_read_by_other_parsers: [count('parsed'), { atLeast: 3 * histories }],
      playlists_rendered_again: [count('renderedAgain'), { atLeast: 70 * histories }],
      programs_in_guide: [count('programsInGuide'), { atLeast: 5 * histories }],
      programs_begun_and_ended_in_time: [count('programsInTime'), { atLeast: histories / 2 }],
      faults: [faults.length, { is: 0 }],
    })
  },
})

/** The result of one history, or of all: counts are summed. */
interface Outcome {
  readonly counts: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

/** After so many faults no further history is played. */
const ENOUGH_FAULTS = 40

async function playInThreads(
  seeds: readonly number[],
  log: (done: number, outcome: Outcome) => void,
): Promise<Outcome> {
  const counts: Record<string, number> = {}
  const faults: string[] = []
  let [started, done] = [0, 0]
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url))
      const next = () => {
        const seed = faults.length < ENOUGH_FAULTS ? seeds[started] : undefined
        started += 1
        if (seed === undefined) void worker.terminate()
        else worker.postMessage(seed)
      }
      worker.on('message', (outcome: Outcome) => {
        for (const [name, count] of Object.entries(outcome.counts)) counts[name] = (counts[name] ?? 0) + count
        faults.push(...outcome.faults)
        done += 1
        log(done, { counts, faults })
        next()
      })
      worker.once('error', reject)
      worker.once('exit', () => resolve())
      next()
    })
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return { counts, faults }
}

function playAndCheck(seed: number, decoder: OtherDecoder): Outcome {
  const label = (fault: string) => `history ${seed}: ${fault}`
  try {
    const { controller, counts, wrongStates, faults, answered, endMs } = playHistory(seed, decoder)
    const commands = [...controller.carriedOut].map(([kind, count]) => [`command ${kind}`, count] as const)
    const all = {
      ...counts,
      played: 1,
      wrongStates: wrongStates.length,
      changes: controller.changes.length,
      ...Object.fromEntries(commands),
      ...checkHistory(controller, answered, endMs),
    }
    return { counts: all, faults: [...wrongStates, ...faults].slice(0, 20).map(label) }
  } catch (error) {
    return { counts: {}, faults: [label((error as Error).message)] }
  }
}

/** Short, with frequent commands. */
const LASTS_MS = 6 * 60_000
const BEGIN_MS = Date.UTC(2026, 10, 15, 12)

/** The longest times between two commands, and between two checks. */
const COMMAND_EVERY_MS = 24_000
const CHECK_EVERY_MS = 6_000

const AHEAD_MS = 240_000
const LONGEST_PROGRAM_MS = 60_000

/** Two other parsers read the playlist at every n-th check. */
const PARSE_EVERY = 50

/** A history ends after so many faults. */
const MOST_FAULTS = 200

const RUNG = '360p'

const outputs = [
  outputOf(32_000, 'BOTH', 'ACTUAL'),
  outputOf(300_000, 'CUE', 'FULL_LENGTH'),
  outputOf(60_000, 'DATERANGE', 'FULL_LENGTH'),
]

/** Runs a channel through a random history, with nodes that receive each change at their own time. */
function playHistory(seed: number, decoder: OtherDecoder) {
  const draw = createDraw(seed)
  const endMs = BEGIN_MS + LASTS_MS
  const controller = createController(draw, {
    fromMs: BEGIN_MS,
    toMs: endMs,
    aheadMs: AHEAD_MS,
    longestProgramMs: LONGEST_PROGRAM_MS,
  })
  const clock = { nowMs: BEGIN_MS }
  const followers = createFollowers(draw, controller, clock)
  const viewers = outputs.map(createViewer)
  /** All answers with their times: rendering them again later must give the same. */
  const answered: Answered[] = []
  const runControlRoom = createControlRoom(draw, controller)
  /** Values that other parsers read differently. */
  const disagreements: string[] = []
  /** Times with a playlist although the commands took the channel off air, or without one although it was on air. */
  const wrongStates: string[] = []
  const listed = createListedCounter()
  // One checks breaks at full length, the others breaks at actual length.
  const checkers = outputs.map(() => createBreakChecker(decoder))
  const counts = {
    playlists: 0,
    /** Requests at times when the channel had to be on air; and had to be off air, and was. */
    due: 0,
    off: 0,
    sameOfOtherNodes: 0,
    sameOfColdNodes: 0,
    deltas: 0,
    parsed: 0,
  }
  const countFaults = () =>
    viewers.reduce((sum, { validator }) => sum + validator.count(), wrongStates.length + disagreements.length)
  for (let checks = 1; clock.nowMs < endMs && countFaults() < MOST_FAULTS; checks += 1) {
    clock.nowMs += draw.chance(0.1) ? 1 : 1 + draw.below(CHECK_EVERY_MS)
    runControlRoom(clock.nowMs)
    for (const follower of followers) applyUntil(draw, controller, follower, clock.nowMs)
    const expected = controller.expected.at(clock.nowMs)
    for (const [at, output] of outputs.entries()) {
      const request = { output, rung: RUNG, atMs: clock.nowMs }
      const text = compareNodes(followers, request)
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
        const cold = printAt(
          controller.timeline(),
          request,
          liveViewOf(controller.sources, clock, 0),
          createTexts(),
        )
        assert.equal(cold, text, `an empty node differs at ${clock.nowMs - BEGIN_MS}`)
        if (text !== undefined) counts.sameOfColdNodes += 1
      }
      if (at === 0 || draw.chance(0.05))
        answered.push({ request, digest: text && hash('sha1', text, 'base64') })
      if (watch(viewers[at]!, followers[0]!.node, request, text, checks % 2 === 0) === 'delta')
        counts.deltas += 1
      if (text !== undefined && checks % PARSE_EVERY === 0) {
        disagreements.push(...agreeOn(text))
        counts.parsed += 1
      }
    }
  }
  const violations = viewers.flatMap(({ validator }) =>
    validator.violations.map(({ rule, atMs, detail }) => `${rule} at ${atMs - BEGIN_MS}: ${detail}`),
  )
  const sections = checkers.reduce((sum, checker) => sum + checker.sections(), 0)
  return {
    controller,
    counts: { ...counts, ...listed.counts(), sections },
    wrongStates,
    faults: [...violations, ...checkers.flatMap(({ faults }) => faults), ...disagreements],
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
function createControlRoom(draw: Draw, controller: Controller): (nowMs: number) => void {
  // Sometimes commands are rare.
  const everyMs = COMMAND_EVERY_MS * draw.one([0.3, 1, 10])
  let nextMs = BEGIN_MS
  let extendAtMs = BEGIN_MS + AHEAD_MS / 2
  return (nowMs) => {
    if (nowMs >= nextMs) {
      controller.sendCommand(nowMs)
      nextMs = nowMs + 1 + draw.below(everyMs)
    }
    if (nowMs >= extendAtMs) {
      controller.extend(nowMs)
      extendAtMs = nowMs + Math.floor(AHEAD_MS * draw.one([0.3, 0.5, 1.2]))
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
): readonly Follower[] {
  const viewAt = (delayMs: number) => liveViewOf(sources, clock, delayMs)
  const nodes = [
    createNode(viewAt(0)),
    createPackedNode(viewAt(CUT_MARGIN_MS - 1), outputs),
    createNode(viewAt(draw.below(CUT_MARGIN_MS)), (run) => splitSpans(draw, run)),
  ]
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

function compareNodes(followers: readonly Follower[], request: PlaylistRequest): string | undefined {
  const [text, ...others] = followers.map(({ node }) => node.answer(request))
  for (const [at, other] of others.entries()) {
    // Compared first: the diff in an assertion message of such texts is slow.
    if (other !== text) assert.equal(other, text, `node ${at + 1} differs at ${request.atMs - BEGIN_MS}`)
  }
  return text
}

/** Every other time a second rendition is read too: a player that polls rarely misses some segments. */
function watch(
  viewer: Viewer,
  node: Node,
  request: PlaylistRequest,
  text: string | undefined,
  hasSecond: boolean,
): 'full' | 'delta' {
  const { output, atMs } = request
  if (text !== undefined && output.style.skipTicks !== undefined && viewer.isWatching()) {
    viewer.checkDelta(atMs, RUNG, node.answer({ ...request, isDelta: true })!, text)
    return 'delta'
  }
  viewer.checkMedia(atMs, RUNG, text)
  if (hasSecond && output === outputs[0] && text !== undefined)
    viewer.checkMedia(atMs, '720p', node.answer({ ...request, rung: '720p' }))
  return 'full'
}

/** In a thread this file plays the histories of the seeds that it is sent. */
if (!isMainThread) {
  const decoder = await openOtherDecoder()
  parentPort?.on('message', (seed: number) => parentPort?.postMessage(playAndCheck(seed, decoder)))
}
