import { aLink, type Link } from '@continuity/dev/a-link'
import { type ClockControl, startClockControl } from '@continuity/dev/clock-control'
import type { Figures } from '@continuity/dev/figures'
import { type PrivateNatsCluster, startPrivateNatsCluster } from '@continuity/dev/private-nats-cluster'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { proof } from '../proof.ts'
import { createOutput, PATIENCE_MS, putOnAir, untilAnswered, urlsOf } from './channels.ts'
import { type FeedFault, faultsOf } from './faults.ts'
import { fetchFromBoth, findRungs } from './fetch-from-both.ts'
import { addressOf, fetchAnswer } from './fetch-playlist.ts'
import { countLateCuts, readFigure } from './node-figures.ts'
import { type OnAirSystem, startOnAirSystem } from './on-air-system.ts'
import { createOutputWatch, directOf, type WatchedOutput } from './output-watch.ts'
import type { PlayoutNode } from './playout-node.ts'
import { stopWhileCutOff } from './stop-while-cut-off.ts'
import { watchContinuously } from './watch-continuously.ts'

interface FaultsSize {
  readonly rounds: number
  /** How soon a change must be on both nodes again; without it, there is no limit. */
  readonly backWithinMs?: number
}

/** Faults in one round, as faults.ts lists them: one is tolerated, the others cut nodes off. */
const KINDS = 5

/** Channels of the system: the watched one, and the stopped one. */
const CHANNELS = 2

export const feedFaults = proof<FaultsSize>({
  name: 'feed-faults',
  title: 'The feed fails and comes back',
  promise:
    'Three NATS servers carry the feed, and one worker publishes it. One server is killed; a node is cut off, silently ' +
    'and with its connections refused; all servers are killed, also with everything that they stored. Each fault is ' +
    'verified to be in effect before it is repaired: server connections are refused, nodes receive no heartbeat, and a change ' +
    'that is made meanwhile does not reach them. Both nodes play on throughout. Within 10 s of the return that change ' +
    'and one that is made then are on both, in the same bytes. A channel that is stopped while a node is cut off ' +
    'continues there until the node receives that, and is counted; nothing else is ever taken back. A node that has ' +
    'lost its disk restores every channel from the feed.',
  // Every fault uses two of the hundred outputs that a channel may have.
  sizes: { small: { rounds: 1 }, full: { rounds: 9, backWithinMs: 10_000 } },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.steer({ kind: 'rate', rate: 1 })
    const home = await temporaryFolder(opened)
    const nats = await startPrivateNatsCluster({ home, searchPath: process.env['PATH'] ?? '', log: () => {} })
    opened.defer(() => nats.stop())
    const link = opened.use(await aLink(nats.servers[0]!.urls.playout_2))
    const settings = { FEED_REPLICAS: '3' }
    const system = await startOnAirSystem(opened, {
      clock,
      natsUrls: nats.urls,
      secondNatsUrl: link.url,
      settings,
      clips: 1,
      renditions: 1,
    })
    const output = directOf(system.channelId)
    await putOnAir(system, output)

    await stopWhileCutOff(system, link)
    const [lateOfFirst, lateOfSecond] = await Promise.all(system.nodes.map((node) => countLateCuts([node])))
    const isCounted = lateOfFirst === 0 && lateOfSecond === 1
    // If late cuts are not counted correctly, the rest cannot pass.
    const broken = isCounted ? await breakAndRepair({ system, clock, output, log }, nats, link, size) : {}
    const within = size.backWithinMs
    const faults = KINDS * size.rounds
    return {
      figures: {
        late_cuts_of_the_connected_node: lateOfFirst ?? Number.NaN,
        late_cuts_of_the_node_that_was_cut_off: lateOfSecond ?? Number.NaN,
        ...broken,
      },
      targets: {
        late_cuts_of_the_connected_node: { is: 0 },
        late_cuts_of_the_node_that_was_cut_off: { is: 1 },
        faults_seen_in_effect: { is: faults },
        changes_not_delivered_while_cut_off: { is: faults - size.rounds },
        changes_delivered_all_the_same: { is: size.rounds },
        faults_recovered_from: { is: faults },
        same_answers_after_recovery: { is: faults },
        ...(within !== undefined && { slowest_return_ms: { atMost: within } }),
        // A fault lasts at least three seconds, and both nodes are read every second.
        playlists: { atLeast: 4 * faults },
        segments_listed: { atLeast: 3 * faults },
        requests_without_a_playlist: { is: 0 },
        violations: { is: 0 },
        late_cuts_by_faults: { is: 0 },
        channels_restored_from_feed: { is: CHANNELS },
        ...(within !== undefined && { back_without_a_disk_ms: { atMost: within } }),
      },
    }
  },
})

interface Trial {
  readonly system: OnAirSystem
  readonly clock: ClockControl
  readonly output: WatchedOutput
  log(line: string): void
}

/** Tries all faults round by round while a viewer watches each node; then starts a node without its disk. */
async function breakAndRepair(
  trial: Trial,
  nats: PrivateNatsCluster,
  link: Link,
  { rounds }: FaultsSize,
): Promise<Figures> {
  const { system, clock, output, log } = trial
  const lateBefore = await countLateCuts(system.nodes)
  const watches = system.nodes.map(() => createOutputWatch(output))
  const watching = system.nodes.map(({ url }, at) => watchContinuously(watches[at]!, url, clock.nowMs))
  const results: FaultResult[] = []
  const faults = Array.from({ length: rounds }, () => faultsOf(nats, link, system.nodes)).flat()
  for (const fault of faults) {
    results.push(await tryFault(trial, fault, results.length))
    // If the feed is not back, every later fault would fail too.
    if (!results.at(-1)!.isRecovered) break
  }
  // The next step stops a node.
  for (const one of watching) await one[Symbol.asyncDispose]()
  const failures = watching.flatMap((one) => one.failures)
  const late = (await countLateCuts(system.nodes)) - lateBefore
  const restarted = await restartWithoutDisk(system, output)
  const violations = watches.flatMap(({ faults: found }) => found)
  for (const line of [...violations, ...failures].slice(0, 20)) log(line)
  const count = (isSo: (result: FaultResult) => boolean) => results.filter(isSo).length
  return {
    faults_seen_in_effect: count(({ isSeen }) => isSeen),
    changes_not_delivered_while_cut_off: count(({ isNotDelivered }) => isNotDelivered),
    changes_delivered_all_the_same: count(({ isDelivered }) => isDelivered),
    faults_recovered_from: count(({ isRecovered }) => isRecovered),
    same_answers_after_recovery: count(({ isSame }) => isSame),
    slowest_return_ms: Math.round(Math.max(...results.map(({ returnMs }) => returnMs))),
    playlists: watches.reduce((sum, { playlists }) => sum + playlists(), 0),
    segments_listed: watches.reduce((sum, { listed }) => sum + listed().length, 0),
    requests_without_a_playlist: failures.length,
    violations: violations.length,
    late_cuts_by_faults: late,
    channels_restored_from_feed: restarted.channels,
    back_without_a_disk_ms: Math.round(restarted.ms),
  }
}

interface FaultResult {
  /** Servers or nodes showed that it was in effect. */
  readonly isSeen: boolean
  /** A change made meanwhile did not reach the nodes that were cut off. */
  readonly isNotDelivered: boolean
  /** It reached both nodes meanwhile. */
  readonly isDelivered: boolean
  /** After the repair both nodes had it, and a change made then. */
  readonly isRecovered: boolean
  /** Time from the repair until then. */
  readonly returnMs: number
  readonly isSame: boolean
}

async function tryFault(
  { system, clock, output, log }: Trial,
  fault: FeedFault,
  number: number,
): Promise<FaultResult> {
  const probe = (name: string) => ({ ...output, distributor: `${name}-${number}` })
  await fault.strike()
  // A change made during the fault must not be lost.
  await createOutput(system, probe('during'))
  const isSeen = (await pollUntil(async () => (await fault.isInEffect()) || undefined, PATIENCE_MS)) === true
  const isDelivered = fault.isTolerated && (await isAnswered(urlsOf(system), probe('during')))
  const isNotDelivered = fault.cutOff.length > 0 && (await countAnswers(fault.cutOff, probe('during'))) === 0
  await fault.mend()
  const mendedMs = performance.now()
  await createOutput(system, probe('after'))
  const urls = urlsOf(system)
  const isRecovered = (await isAnswered(urls, probe('during'))) && (await isAnswered(urls, probe('after')))
  const returnMs = performance.now() - mendedMs
  log(
    `${fault.name}: ${isRecovered ? `recovered after ${Math.round(returnMs)} ms` : 'the feed did not recover'}`,
  )
  const isSame = await atStandstill(clock, () => isSameOnBoth(system, probe('after')))
  return { isSeen, isNotDelivered, isDelivered, isRecovered, returnMs, isSame }
}

/** A failure is reported, not thrown. */
const isAnswered = (urls: readonly string[], output: WatchedOutput): Promise<boolean> =>
  untilAnswered(urls, output, PATIENCE_MS).then(
    () => true,
    () => false,
  )

/** How many of the nodes serve an output. */
async function countAnswers(nodes: readonly PlayoutNode[], output: WatchedOutput): Promise<number> {
  const answers = await Promise.all(
    nodes.map(({ url }) => fetchAnswer(addressOf(url(), output, 'index.m3u8'))),
  )
  return answers.filter(({ status }) => status === 200).length
}

async function isSameOnBoth({ nodes }: OnAirSystem, output: WatchedOutput): Promise<boolean> {
  const rungs = await findRungs(nodes, output)
  const answers = await Promise.all(rungs.map((rung) => fetchFromBoth(nodes, output, `${rung}.m3u8`)))
  return answers.length > 0 && answers.every(({ answer, isSame }) => isSame && answer.status === 200)
}

async function atStandstill<T>(clock: ClockControl, check: () => Promise<T>): Promise<T> {
  await clock.steer({ kind: 'rate', rate: 0 })
  const seen = await check()
  await clock.steer({ kind: 'rate', rate: 1 })
  return seen
}

/** Restarts a node that lost its disk: the feed holds everything, also after NATS lost its storage. */
async function restartWithoutDisk(
  { nodes: [, second] }: OnAirSystem,
  output: WatchedOutput,
): Promise<{ readonly ms: number; readonly channels: number }> {
  await second.kill()
  await second.deleteSnapshot()
  const startedMs = performance.now()
  await second.startAgain()
  await isAnswered([second.url()], output)
  const ms = performance.now() - startedMs
  const isWhole = async () => (await readFigure(second.url(), 'playout_channels')) >= CHANNELS || undefined
  await pollUntil(isWhole, PATIENCE_MS)
  return { ms, channels: await readFigure(second.url(), 'playout_channels') }
}
