import { connect as connectSocket } from 'node:net'
import type { Link } from '@continuity/dev/a-link'
import type { ClockControl } from '@continuity/dev/clock-control'
import { measured } from '@continuity/dev/measured'
import type { ClusterServer, PrivateNatsCluster } from '@continuity/dev/private-nats-cluster'
import { jetstreamManager } from '@nats-io/jetstream'
import { proof } from './proof.ts'
import { connectNats } from './shared/live-system.ts'
import { countLateCuts, readFigure } from './shared/node-figures.ts'
import {
  createChannel,
  createOutput,
  type OnAirSystem,
  type PlayoutNode,
  putOnAir,
  RUNG,
  startClock,
  startOnAirSystem,
  untilAnswered,
  urlsOf,
} from './shared/on-air-system.ts'
import { createOutputWatch, segmentsIn, watchContinuously } from './shared/output-watch.ts'
import {
  addressOf,
  directOf,
  fetchAnswer,
  fetchFromBoth,
  findRungs,
  type WatchedOutput,
} from './shared/outputs.ts'
import { becomes, until } from './shared/until.ts'

interface FaultsSize {
  readonly rounds: number
  /** How soon a change must be on both nodes again; without it, there is no limit. */
  readonly backWithinMs?: number
}

/** Faults in one round: one is tolerated, the others cut nodes off. */
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
    const clock = await startClock(opened)
    const system = await startOnAirSystem(opened, {
      clock,
      natsServers: 3,
      isLinked: true,
      settings: { FEED_REPLICAS: '3' },
      clips: 1,
      renditions: 1,
    })
    const { nats } = system
    const link = system.link!
    const output = directOf(system.channelId)
    await putOnAir(system, output)

    await stopWhileCutOff(system, link)
    const [lateOfFirst, lateOfSecond] = await Promise.all(system.nodes.map((node) => countLateCuts([node])))
    const isCounted = lateOfFirst === 0 && lateOfSecond === 1
    // If late cuts are not counted correctly, the rest cannot pass.
    const broken = isCounted ? await breakAndRepair({ system, clock, output, log }, nats, link, size) : {}
    return measured({
      late_cuts_of_the_connected_node: [lateOfFirst ?? Number.NaN, { is: 0 }],
      late_cuts_of_the_node_that_was_cut_off: [lateOfSecond ?? Number.NaN, { is: 1 }],
      ...broken,
    })
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
  { rounds, backWithinMs = Number.POSITIVE_INFINITY }: FaultsSize,
) {
  const { system, clock, output, log } = trial
  const lateBefore = await countLateCuts(system.nodes)
  const watches = system.nodes.map(() => createOutputWatch(output))
  const watching = system.nodes.map(({ url }, at) => watchContinuously(watches[at]!, url, clock.nowMs))
  const results: Awaited<ReturnType<typeof tryFault>>[] = []
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
  const count = (isSo: (result: (typeof results)[number]) => boolean) => results.filter(isSo).length
  const returnMs = Math.max(...results.map((result) => result.returnMs))
  const segments = watches.reduce((sum, { listed }) => sum + listed().length, 0)
  const all = KINDS * rounds
  return {
    faults_seen_in_effect: [count(({ isSeen }) => isSeen), { is: all }],
    changes_not_delivered_while_cut_off: [
      count(({ isNotDelivered }) => isNotDelivered),
      { is: all - rounds },
    ],
    changes_delivered_all_the_same: [count(({ isDelivered }) => isDelivered), { is: rounds }],
    faults_recovered_from: [count(({ isRecovered }) => isRecovered), { is: all }],
    same_answers_after_recovery: [count(({ isSame }) => isSame), { is: all }],
    slowest_return_ms: [Math.round(returnMs), { atMost: backWithinMs }],
    // A fault lasts at least three seconds, and both nodes are read every second.
    playlists: [watches.reduce((sum, { playlists }) => sum + playlists(), 0), { atLeast: 4 * all }],
    segments_listed: [segments, { atLeast: 3 * all }],
    requests_without_a_playlist: [failures.length, { is: 0 }],
    violations: [violations.length, { is: 0 }],
    late_cuts_by_faults: [late, { is: 0 }],
    channels_restored_from_feed: [restarted.channels, { is: CHANNELS }],
    back_without_a_disk_ms: [Math.round(restarted.ms), { atMost: backWithinMs }],
  } as const
}

async function tryFault({ system, clock, output, log }: Trial, fault: FeedFault, number: number) {
  const probe = (name: string) => ({ ...output, distributor: `${name}-${number}` })
  await fault.strike()
  // A change made during the fault must not be lost.
  await createOutput(system, probe('during'))
  const isSeen = await becomes(fault.isInEffect)
  const isTolerated = fault.cutOff.length === 0
  const isDelivered = isTolerated && (await isAnswered(urlsOf(system), probe('during')))
  const isNotDelivered = !isTolerated && (await countAnswers(fault.cutOff, probe('during'))) === 0
  await fault.mend()
  const mendedMs = performance.now()
  await createOutput(system, probe('after'))
  const urls = urlsOf(system)
  const isRecovered = (await isAnswered(urls, probe('during'))) && (await isAnswered(urls, probe('after')))
  const returnMs = performance.now() - mendedMs
  log(`${fault.name}: ${isRecovered ? `recovered after ${Math.round(returnMs)} ms` : 'no recovery'}`)
  await clock.steer({ kind: 'rate', rate: 0 })
  const isSame = await isSameOnBoth(system, probe('after'))
  await clock.steer({ kind: 'rate', rate: 1 })
  return { isSeen, isNotDelivered, isDelivered, isRecovered, returnMs, isSame }
}

/** A failure is reported, not thrown. */
const isAnswered = (urls: readonly string[], output: WatchedOutput): Promise<boolean> =>
  untilAnswered(urls, output).then(
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

/** Restarts a node that lost its disk: the feed holds everything, also after NATS lost its storage. */
async function restartWithoutDisk({ nodes: [, second] }: OnAirSystem, output: WatchedOutput) {
  await second.kill()
  await second.deleteSnapshot()
  const startedMs = performance.now()
  await second.startAgain()
  await isAnswered([second.url()], output)
  const ms = performance.now() - startedMs
  const countChannels = () => readFigure(second.url(), 'playout_channels')
  await becomes(async () => (await countChannels()) >= CHANNELS)
  return { ms, channels: await countChannels() }
}

/** Something that breaks the feed, and is repaired again. */
interface FeedFault {
  readonly name: string
  strike(): Promise<void>
  /** Whether servers and nodes show that it is in effect. */
  isInEffect(): Promise<boolean>
  /** The nodes that receive no changes while it lasts; without any, the fault is tolerated. */
  readonly cutOff: readonly PlayoutNode[]
  mend(): Promise<void>
}

/** Every fault; `link` is the second node's connection to NATS. */
function faultsOf(
  { servers }: PrivateNatsCluster,
  link: Link,
  nodes: readonly [PlayoutNode, PlayoutNode],
): readonly FeedFault[] {
  const [, second] = nodes
  const cutOff = { isInEffect: () => hasSilence(second), cutOff: [second], mend: link.restore }
  const allAreGone = async () => {
    const are = await Promise.all([...servers.map(isGone), ...nodes.map(hasSilence)])
    return are.every((isSo) => isSo)
  }
  const killAll = () => Promise.all(servers.map((server) => server.kill()))
  const startAll = async () => {
    await Promise.all(servers.map((server) => server.start()))
    await untilElected(servers[0]!.url)
  }
  const allGone = { isInEffect: allAreGone, cutOff: nodes, mend: startAll }
  // Not the first: the second node is configured with that one only.
  const oneOf = servers[1]!
  return [
    {
      name: 'one NATS server of three killed',
      strike: oneOf.kill,
      isInEffect: () => isGone(oneOf),
      cutOff: [],
      mend: oneOf.start,
    },
    { name: 'a node cut off silently', strike: async () => link.silence(), ...cutOff },
    { name: 'connections refused to a node', strike: link.goDown, ...cutOff },
    { name: 'all of NATS killed', strike: async () => void (await killAll()), ...allGone },
    {
      name: 'all of NATS killed, and its storage deleted',
      async strike() {
        await killAll()
        await Promise.all(servers.map((server) => server.deleteStore()))
      },
      ...allGone,
    },
  ]
}

/** Workers send a heartbeat every second: a node that received none for this long is cut off. */
const SILENCE_MS = 3_000

const hasSilence = async (node: PlayoutNode): Promise<boolean> =>
  (await readFigure(node.url(), 'feed_age_ms')) >= SILENCE_MS

/** Whether nothing accepts connections at the address of a server. */
function isGone({ url }: ClusterServer): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connectSocket(Number(port), hostname)
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })
}

/** Servers that start together elect a leader first, for up to ten seconds; JetStream is unavailable until then. */
async function untilElected(url: string): Promise<void> {
  const connection = await connectNats(url)
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 500 })
  await until('JetStream elects a leader', () =>
    manager.getAccountInfo().then(
      () => true,
      () => false,
    ),
  )
  await connection.close()
}

/** Stops a channel while the second node is cut off from the feed, until that node has listed too much. */
async function stopWhileCutOff(system: OnAirSystem, link: Link): Promise<void> {
  const output = directOf(await createChannel(system, { title: 'Stopped' }))
  await putOnAir(system, output)
  const [first, second] = system.nodes.map(({ url }) => addressOf(url(), output, `${RUNG}.m3u8`))
  await link.goDown()
  await system.call('PUT', `/api/2.3/linear_channels/${output.channelId}/stop`, { immediate: true })
  await until('the channel ends', async () => isEnded(await textOf(first!)))
  const last = lastIn(await textOf(first!))
  await until('a node lists too much', async () => lastIn(await textOf(second!)) > last)
  await link.restore()
  await until('it receives the end', async () => isEnded(await textOf(second!)))
}

const textOf = async (address: string): Promise<string> => (await fetchAnswer(address)).text

const isEnded = (text: string): boolean => text.endsWith('#EXT-X-ENDLIST\n')

const lastIn = (text: string): number => segmentsIn(text).at(-1)?.sequence ?? -1
