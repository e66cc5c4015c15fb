import { setTimeout } from 'node:timers/promises'
import { decodeStep } from '@continuity/core/feed/feed-codec'
import { jetstreamManager, type StoredMsg } from '@nats-io/jetstream'
import { pollUntil } from '../../tools/dev-stack/waiting.ts'
import { createOutput, untilAnswered } from '../on-air/channels.ts'
import { addressOf, fetchAnswer } from '../on-air/fetch-playlist.ts'
import { keepWatching } from '../on-air/keep-watching.ts'
import { readCounter } from '../on-air/node-figures.ts'
import { createOutputWatch } from '../on-air/output-watch.ts'
import { proof } from '../proofs/proof.ts'
import { attempts, beatAhead, gone, type Loot } from './attempts.ts'
import { contentReader, findEffect, type ReadContent } from './stream-content.ts'
import { type RobbedSystem, startRobbedSystem } from './system.ts'
import { openThief, type Thief } from './thief.ts'

interface StolenSize {
  readonly rounds: number
}

/** What NATS took is delivered by then, where it is delivered at all. */
const DELIVERED_MS = 60

export const stolenPlayoutCredential = proof<StolenSize>({
  name: 'stolen-playout-credential',
  title: 'The stolen NATS credential of a playout node',
  promise:
    `An attacker has the NATS credential of a playout node and its public keys, and tries ${attempts.length} ways to disturb ` +
    'the feed: to publish to it, to change or delete its stream, to listen to others, to have NATS answer or deliver where ' +
    'the credential itself may not publish. Each is denied by NATS or without effect: the stream keeps what it holds and ' +
    'takes nothing that is not signed, two nodes play on, workers and the API are ready, and a change reaches both nodes. ' +
    'With the credentials of a worker and of the owner some of the same have an effect on the stream, and a node that ' +
    'verifies nothing drops its channel.',
  sizes: { small: { rounds: 1 }, full: { rounds: 20 } },
  async run({ size, say }) {
    await using opened = new AsyncDisposableStack()
    const system = await startRobbedSystem(opened)
    const owner = opened.use(await openThief(system.natsUrls.owner))
    const thief = opened.use(await openThief(system.natsUrls.playout_1))
    const read = await contentReader(owner, system.feedKeys.verifying.FEED_PUBLIC_KEYS_FILE)
    const watches = system.nodeUrls.map(() => createOutputWatch(system.output))
    const watching = system.nodeUrls.map((url, at) => opened.use(keepWatching(watches[at]!, () => url)))

    const results: Tried[] = []
    for (let round = 0; round < size.rounds; round += 1)
      results.push(...(await tryAll(thief, await findLoot(system, owner, read), read)))
    for (const { name, outcome, effect } of results.filter(({ isAsExpected }) => !isAsExpected))
      say(`${name}: ${outcome}, ${effect ?? 'no effect'}`)
    const beatMs = await waitForBeat(read)
    const isReady = await areReady([...system.nodeUrls, system.workerUrl])
    const reachedMs = await changeReaches(system)
    const unverified = await countUnverified(system)
    const controls = await tryControls(system, owner, read)
    for (const one of watching) await one[Symbol.asyncDispose]()
    const faults = [...watches.flatMap((watch) => watch.faults), ...watching.flatMap((one) => one.failures)]
    for (const line of faults.slice(0, 10)) say(line)
    return {
      figures: {
        attempts: results.length,
        attempts_denied: results.filter(({ outcome }) => outcome === 'denied').length,
        attempts_not_as_expected: results.filter(({ isAsExpected }) => !isAsExpected).length,
        attempts_with_an_effect: results.filter(({ effect }) => effect !== undefined).length,
        messages_not_signed: unverified,
        heartbeat_after_ms: Math.round(beatMs),
        processes_not_ready: isReady ? 0 : 1,
        change_on_both_nodes_after_ms: Math.round(reachedMs),
        looks: watches.reduce((sum, { looks }) => sum + looks(), 0),
        faults_of_playlists: faults.length,
        ...controls,
      },
      targets: {
        attempts: { atLeast: 20 * size.rounds },
        attempts_denied: { atLeast: 15 * size.rounds },
        attempts_not_as_expected: { is: 0 },
        attempts_with_an_effect: { is: 0 },
        messages_not_signed: { is: 0 },
        heartbeat_after_ms: { atMost: 5_000 },
        processes_not_ready: { is: 0 },
        change_on_both_nodes_after_ms: { atMost: 10_000 },
        looks: { atLeast: 2 },
        faults_of_playlists: { is: 0 },
        controls_without_an_effect: { is: 0 },
        nodes_that_dropped_the_forged: { is: 2 },
        trusting_node_lost_its_channel: { is: 1 },
      },
    }
  },
})

interface Tried {
  readonly name: string
  readonly outcome: string
  readonly effect: string | undefined
  readonly isAsExpected: boolean
}

async function tryAll(thief: Thief, loot: Loot, read: ReadContent): Promise<Tried[]> {
  const tried: Tried[] = []
  for (const attempt of attempts) {
    const before = await read()
    const outcome = await attempt.try(thief, loot)
    if (outcome === 'taken') await setTimeout(DELIVERED_MS)
    const effect = findEffect(before, await read())
    const isAsExpected = outcome === attempt.expected && effect === undefined
    tried.push({ name: attempt.name, outcome, effect, isAsExpected })
  }
  return tried
}

/** A worker publishes a snapshot when it is asked to; the rest is there. */
async function findLoot({ output, natsUrls }: RobbedSystem, owner: Thief, read: ReadContent): Promise<Loot> {
  const isOfChannel = ({ subject }: StoredMsg) => subject.endsWith(`.${output.channelId}`)
  const oldest = (await read()).list.find(isOfChannel)
  if (oldest === undefined) throw new Error('The stream does not hold the channel.')
  await owner.publish('feed.ask', oldest.subject.slice('feed.channel.'.length))
  const snapshot = await pollUntil(async () => {
    const { list } = await read()
    return list.findLast((it) => isOfChannel(it) && decodeStep(it.data)?.kind === 'whole')
  }, 10_000)
  const { consumers } = await jetstreamManager(owner.connection)
  const user = new URL(natsUrls.playout_2).username
  const [consumer] = (await consumers.list('FEED').next()).filter(({ config }) =>
    config.deliver_subject?.startsWith(`feed.deliver.${user}.`),
  )
  if (snapshot === undefined || consumer === undefined) throw new Error('There is nothing to steal.')
  const [kid = ''] = snapshot.header.get('Continuity-Signature').split('.')
  return { snapshot, oldest, kid, consumer: { name: consumer.name, inbox: consumer.config.deliver_subject! } }
}

async function waitForBeat(read: ReadContent): Promise<number> {
  const startedMs = performance.now()
  const lastBeat = async () =>
    (await read()).list.findLast(({ subject }) => subject === 'feed.beat')?.seq ?? 0
  const before = await lastBeat()
  await pollUntil(async () => (await lastBeat()) > before || undefined, 10_000)
  return performance.now() - startedMs
}

async function areReady(urls: readonly string[]): Promise<boolean> {
  const answers = await Promise.all(urls.map((url) => fetch(`${url}/readyz`)))
  const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as {
    checks: Record<string, { ok: boolean }>
  }[]
  return bodies.every(({ checks }) => Object.values(checks).every(({ ok }) => ok))
}

async function changeReaches(system: RobbedSystem): Promise<number> {
  const added = { ...system.output, distributor: 'after' }
  await createOutput(system, added)
  return untilAnswered(system.nodeUrls, added, 20_000)
}

async function countUnverified({ nodeUrls }: Pick<RobbedSystem, 'nodeUrls'>): Promise<number> {
  const counts = await Promise.all(nodeUrls.map((url) => readCounter(url, 'feed_unverified_total')))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The same with other credentials: it is seen where it is not denied, and then it is the signature that counts. */
async function tryControls(system: RobbedSystem, owner: Thief, read: ReadContent) {
  await using worker = await openThief(system.natsUrls.worker)
  const snapshot = (await read()).list.findLast(({ data }) => decodeStepOf(data) === 'whole')!
  const isThere = async (url: string) =>
    (await fetchAnswer(addressOf(url, system.output, 'index.m3u8'))).status === 200
  const controls: (() => Promise<unknown>)[] = [
    () => worker.publish(snapshot.subject, gone(snapshot)),
    () => worker.publish('feed.beat', beatAhead()),
    () => owner.publish('$JS.API.STREAM.INFO.FEED', '', { reply: snapshot.subject }),
    () => owner.request('$JS.API.STREAM.MSG.DELETE.FEED', { seq: snapshot.seq }),
  ]
  let without = 0
  for (const control of controls) {
    const before = await read()
    await control()
    const isSeen = await pollUntil(async () => findEffect(before, await read()), 2_000)
    if (isSeen === undefined) without += 1
  }
  const isLost = await pollUntil(async () => !(await isThere(system.trustingUrl)) || undefined, 5_000)
  const dropped = await Promise.all(
    system.nodeUrls.map(
      async (url) => (await isThere(url)) && (await countUnverified({ nodeUrls: [url, url] })) > 0,
    ),
  )
  return {
    controls: controls.length,
    controls_without_an_effect: without,
    nodes_that_dropped_the_forged: dropped.filter(Boolean).length,
    trusting_node_lost_its_channel: isLost === true ? 1 : 0,
  }
}

function decodeStepOf(data: Uint8Array): string | undefined {
  try {
    return decodeStep(data)?.kind
  } catch {
    return undefined
  }
}
