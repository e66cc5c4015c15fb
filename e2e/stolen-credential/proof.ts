import { decodeUpdate } from '@continuity/core/feed/feed-codec'
import { pollUntil } from '@continuity/dev/waiting'
import { jetstreamManager, type StoredMsg } from '@nats-io/jetstream'
import { createOutput, untilAnswered } from '../on-air/channels.ts'
import { addressOf, fetchAnswer } from '../on-air/fetch-playlist.ts'
import { readCounter } from '../on-air/node-figures.ts'
import { createOutputWatch } from '../on-air/output-watch.ts'
import { watchContinuously } from '../on-air/watch-continuously.ts'
import { proof } from '../proofs/proof.ts'
import { attempts, gone, heartbeatAhead, type Loot } from './attempts.ts'
import { contentReader, findEffect, type ReadContent } from './stream-content.ts'
import { type RobbedSystem, startRobbedSystem } from './system.ts'
import { openThief, type Thief } from './thief.ts'

interface StolenSize {
  readonly rounds: number
}

/** Timeout of every wait: long, since other tests may share the machine. */
const SOON_MS = 60_000

/** Checks of the playlists of each node, during and after the attempts. */
const LEAST_CHECKS = 5

export const stolenPlayoutCredential = proof<StolenSize>({
  name: 'stolen-playout-credential',
  title: 'The stolen NATS credential of a playout node',
  promise:
    `An attacker has the NATS credential of a playout node and its public keys, and tries ${attempts.length} ways to disturb ` +
    'the feed: to publish to it, to change or delete its stream, to subscribe to the messages of others, to have NATS reply ' +
    'or deliver where the credential itself may not publish. Each is denied by NATS or without effect: the stream keeps its ' +
    'messages and takes none that is not signed, two nodes continue to play, workers and the API are ready, and a change ' +
    'arrives at both nodes. With the credentials of a worker and of the owner some of the same have an effect on the ' +
    'stream: both nodes drop the forged message, and a node without keys loses its channel.',
  watches: [
    'packages/server/src/app/nats-accounts.ts',
    'packages/server/src/platform/bus/bus.ts',
    'packages/server/src/platform/feed',
    'packages/server/src/platform/signing-keys',
    'e2e/stolen-credential',
  ],
  sabotage: {
    title: 'nodes share the NATS account of the control room, and any signature of the feed is valid',
    changes: [
      {
        file: 'packages/server/src/app/nats-accounts.ts',
        from: "usersOf('owner', 'api', 'worker')",
        to: "usersOf('owner', 'api', 'worker', 'playout')",
      },
      { file: 'packages/server/src/app/nats-accounts.ts', from: "usersOf('playout')", to: 'usersOf()' },
      {
        file: 'packages/server/src/platform/feed/feed-signature.ts',
        from: `export function verifyFeed(keys: () => ReadonlyMap<string, VerifyingKey>): FeedVerifier {
  return {
    isValid: (subject, payload, signature) => findSigner(keys(), subject, payload, signature) !== undefined,`,
        to: `export function verifyFeed(keys: () => ReadonlyMap<string, VerifyingKey>): FeedVerifier {
  return {
    isValid: () => true,`,
      },
    ],
    missed: ['messages_without_a_signature_in_the_stream', 'nodes_that_dropped_the_forged_message'],
  },
  sizes: { small: { rounds: 1 }, full: { rounds: 20 } },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const system = await startRobbedSystem(opened)
    const owner = opened.use(await openThief(system.natsUrls.owner))
    const thief = opened.use(await openThief(system.natsUrls.playout_1))
    const read = await contentReader(owner, system.feedKeys.verifying.FEED_PUBLIC_KEYS_FILE)
    const watches = system.nodeUrls.map(() => createOutputWatch(system.output))
    const watching = system.nodeUrls.map((url, at) => opened.use(watchContinuously(watches[at]!, () => url)))

    const results: Tried[] = []
    let loot = await findLoot(system, owner, read)
    for (let round = 0; round < size.rounds; round += 1) {
      if (round > 0) loot = await findLoot(system, owner, read)
      results.push(...(await tryAll(thief, loot, read)))
    }
    for (const { name, outcome, effect } of results.filter(({ isAsExpected }) => !isAsExpected).slice(0, 20))
      log(`${name}: ${outcome}, ${effect ?? 'no effect'}`)
    // A message that NATS accepted is stored before a heartbeat that is published later.
    const heartbeats = await countHeartbeats(read)
    const { unsigned, messages } = await read()
    const isReady = await pollUntil(
      async () => (await areReady([...system.nodeUrls, system.workerUrl])) || undefined,
      SOON_MS,
    )
    const changed = await changeReaches(system)
    const unverified = await countUnverified(system)
    const haveChecked = async () => watches.every((watch) => watch.checks() >= LEAST_CHECKS) || undefined
    await pollUntil(haveChecked, SOON_MS)
    for (const one of watching) await one[Symbol.asyncDispose]()
    const controls = await tryControls(system, owner, read, loot.snapshot, log)
    const faults = [...watches.flatMap((watch) => watch.faults), ...watching.flatMap((one) => one.failures)]
    for (const line of faults.slice(0, 10)) log(line)
    return {
      figures: {
        attempts: results.length,
        attempts_denied: results.filter(({ outcome }) => outcome === 'denied').length,
        attempts_taken_without_effect: results.filter(
          ({ outcome, effect }) => outcome === 'taken' && effect === undefined,
        ).length,
        attempts_not_as_expected: results.filter(({ isAsExpected }) => !isAsExpected).length,
        attempts_with_an_effect: results.filter(({ effect }) => effect !== undefined).length,
        messages_in_the_stream: messages.size,
        messages_without_a_signature_in_the_stream: unsigned,
        messages_that_nodes_dropped: unverified,
        heartbeats_after_the_attempts: heartbeats,
        processes_not_ready: isReady === true ? 0 : 1,
        nodes_with_a_change_made_afterwards: changed,
        fewest_checks_of_a_node: Math.min(...watches.map(({ checks }) => checks())),
        faults_of_playlists: faults.length,
        ...controls,
      },
      targets: {
        attempts: { is: attempts.length * size.rounds },
        attempts_denied: { atLeast: 30 * size.rounds },
        attempts_taken_without_effect: { atLeast: 8 * size.rounds },
        attempts_not_as_expected: { is: 0 },
        attempts_with_an_effect: { is: 0 },
        messages_in_the_stream: { atLeast: 1 },
        messages_without_a_signature_in_the_stream: { is: 0 },
        messages_that_nodes_dropped: { is: 0 },
        heartbeats_after_the_attempts: { atLeast: 1 },
        processes_not_ready: { is: 0 },
        nodes_with_a_change_made_afterwards: { is: 2 },
        fewest_checks_of_a_node: { atLeast: LEAST_CHECKS },
        faults_of_playlists: { is: 0 },
        controls_with_an_effect: { is: 4 },
        nodes_that_dropped_the_forged_message: { is: 2 },
        nodes_without_keys_that_lost_the_channel: { is: 1 },
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
    const effect = findEffect(before, await read())
    const isAsExpected = outcome === attempt.expected && effect === undefined
    tried.push({ name: attempt.name, outcome, effect, isAsExpected })
  }
  return tried
}

/** A worker publishes a snapshot on request; the rest is in the stream. */
async function findLoot({ output, natsUrls }: RobbedSystem, owner: Thief, read: ReadContent): Promise<Loot> {
  const isOfChannel = ({ subject }: StoredMsg) => subject.endsWith(`.${output.channelId}`)
  const oldest = (await read()).list.find(isOfChannel)
  if (oldest === undefined) throw new Error('The stream has no message of the channel.')
  await owner.publish('feed.ask', oldest.subject.slice('feed.channel.'.length))
  const snapshot = await pollUntil(async () => {
    const { list } = await read()
    return list.findLast((it) => isOfChannel(it) && updateKindOf(it.data) === 'whole')
  }, SOON_MS)
  const { consumers } = await jetstreamManager(owner.connection)
  const user = new URL(natsUrls.playout_2).username
  const [consumer] = (await consumers.list('FEED').next()).filter(({ config }) =>
    config.deliver_subject?.startsWith(`feed.deliver.${user}.`),
  )
  if (snapshot === undefined || consumer === undefined)
    throw new Error('No snapshot or no consumer was found.')
  const [kid = ''] = snapshot.header.get('Continuity-Signature').split('.')
  return { snapshot, oldest, kid, consumer: { name: consumer.name, inbox: consumer.config.deliver_subject! } }
}

/** Waits for a heartbeat that is published from now on. */
async function countHeartbeats(read: ReadContent): Promise<number> {
  const listHeartbeats = async () => (await read()).list.filter(({ subject }) => subject === 'feed.beat')
  const lastSeq = (await listHeartbeats()).at(-1)?.seq ?? 0
  const countNew = async () => (await listHeartbeats()).filter(({ seq }) => seq > lastSeq).length
  return (await pollUntil(async () => (await countNew()) || undefined, SOON_MS)) ?? 0
}

async function areReady(urls: readonly string[]): Promise<boolean> {
  const answers = await Promise.all(urls.map((url) => fetch(`${url}/readyz`)))
  const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as {
    checks: Record<string, { ok: boolean }>
  }[]
  return bodies.every(({ checks }) => Object.values(checks).every(({ ok }) => ok))
}

/** How many nodes serve an output that is created now. */
async function changeReaches(system: RobbedSystem): Promise<number> {
  const added = { ...system.output, distributor: 'after' }
  await createOutput(system, added)
  const served = await Promise.all(
    system.nodeUrls.map((url) =>
      untilAnswered([url], added, SOON_MS).then(
        () => 1,
        () => 0,
      ),
    ),
  )
  return served.filter(Boolean).length
}

async function countUnverified({ nodeUrls }: Pick<RobbedSystem, 'nodeUrls'>): Promise<number> {
  const counts = await Promise.all(nodeUrls.map((url) => readCounter(url, 'feed_unverified_total')))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The same with credentials that allow it: there are effects, and only the signature protects a node. */
async function tryControls(
  system: RobbedSystem,
  owner: Thief,
  read: ReadContent,
  snapshot: StoredMsg,
  log: (line: string) => void,
) {
  await using worker = await openThief(system.natsUrls.worker)
  const lastStored = async () => Math.max(...(await read()).messages.keys())
  const isServed = async (url: string) =>
    (await fetchAnswer(addressOf(url, system.output, 'index.m3u8'))).status === 200
  const controls: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['a forged snapshot of a worker', () => worker.publish(snapshot.subject, gone(snapshot))],
    ['a forged heartbeat of a worker', () => worker.publish('feed.beat', heartbeatAhead())],
    [
      'a reply of JetStream onto a channel',
      () => owner.publish('$JS.API.STREAM.INFO.FEED', '', { reply: snapshot.subject }),
    ],
    [
      'a deleted message',
      async () => owner.request('$JS.API.STREAM.MSG.DELETE.FEED', { seq: await lastStored() }),
    ],
  ]
  let effects = 0
  for (const [name, control] of controls) {
    const before = await read()
    await control()
    const effect = await pollUntil(async () => findEffect(before, await read()), SOON_MS)
    if (effect === undefined) log(`control without an effect: ${name}`)
    else effects += 1
  }
  const isLost = await pollUntil(async () => !(await isServed(system.trustingUrl)) || undefined, SOON_MS)
  const judged = await Promise.all(
    system.nodeUrls.map((url) =>
      pollUntil(async () => {
        if (!(await isServed(url))) return 'lost the channel'
        return (await readCounter(url, 'feed_unverified_total')) > 0 ? 'dropped' : undefined
      }, SOON_MS),
    ),
  )
  for (const [at, verdict] of judged.entries())
    if (verdict !== 'dropped') log(`node ${at} after a forged snapshot: ${verdict ?? 'received nothing'}`)
  return {
    controls_with_an_effect: effects,
    nodes_that_dropped_the_forged_message: judged.filter((verdict) => verdict === 'dropped').length,
    nodes_without_keys_that_lost_the_channel: isLost === true ? 1 : 0,
  }
}

function updateKindOf(data: Uint8Array): string | undefined {
  try {
    return decodeUpdate(data)?.kind
  } catch {
    return undefined
  }
}
