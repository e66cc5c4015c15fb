import {
  type ClockControl,
  startClockControl,
} from '../../packages/server/src/platform/clock/clock-control.ts'
import { aLink } from '../../packages/server/src/platform/testing/a-link.ts'
import { startPrivateNatsCluster } from '../../tools/dev-stack/private-nats-cluster.ts'
import { proof } from '../proofs/proof.ts'
import { askBoth, findRungs } from './ask-both.ts'
import { createOutput, putOnAir, untilAnswered, urlsOf } from './channels.ts'
import { type FeedFault, faultsOf } from './faults.ts'
import { keepWatching } from './keep-watching.ts'
import { countLateCuts } from './node-figures.ts'
import { type OnAirSystem, startOnAirSystem } from './on-air-system.ts'
import { createOutputWatch, directOf, type WatchedOutput } from './output-watch.ts'
import { stopUnheard } from './stop-unheard.ts'
import { temporaryFolder } from './temporary-folder.ts'

interface FaultsSize {
  readonly rounds: number
}

/** How soon all is whole again. */
const WHOLE_MS = 10_000

export const feedFaults = proof<FaultsSize>({
  name: 'feed-faults',
  title: 'The feed broken, and whole again',
  promise:
    'Three NATS servers carry the feed, with one worker to tell it. One of them is killed; a node is cut off from them, ' +
    'told and untold; all are killed, also with all that they kept. Both nodes play on throughout. Within 10 s of the ' +
    'return a change that is made then is on both, in the same bytes. A channel that is stopped while a node is cut off ' +
    'goes on there until it hears of it, and is counted; nothing else is ever taken back. A node that has lost its disk ' +
    'finds everything in the feed again.',
  // Every fault takes two outputs, of the hundred that a channel may have.
  sizes: { small: { rounds: 1 }, full: { rounds: 9 } },
  async run({ size, say }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.order({ kind: 'rate', rate: 1 })
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
    })
    const output = directOf(system.channelId)
    await putOnAir(system, output)

    const watches = system.nodes.map(() => createOutputWatch(output))
    const watching = system.nodes.map(({ url }, at) =>
      opened.use(keepWatching(watches[at]!, url, clock.nowMs)),
    )
    const trial = { system, clock, output, say }
    const results: FaultResult[] = []
    for (let round = 0; round < size.rounds; round += 1)
      for (const fault of faultsOf(nats, link)) results.push(await tryFault(trial, fault, results.length))
    // What comes now lets a node list too much, and then go.
    for (const one of watching) await one[Symbol.asyncDispose]()
    const failures = watching.flatMap((one) => one.failures)
    const lateByFaults = await countLateCuts(system.nodes)
    await stopUnheard(system, link)
    const [lateOfFirst, lateOfSecond] = await Promise.all(system.nodes.map((node) => countLateCuts([node])))
    const anewMs = await startAnew(system, output)
    const violations = watches.flatMap(({ faults }) => faults)
    for (const line of [...violations, ...failures].slice(0, 20)) say(line)
    return {
      figures: {
        faults: results.length,
        slowest_return_ms: Math.round(Math.max(...results.map(({ wholeMs }) => wholeMs))),
        changes_not_borne: results.filter(({ isBorne }) => !isBorne).length,
        answers_that_differ: results.filter(({ isSame }) => !isSame).length,
        looks: watches.reduce((sum, { looks }) => sum + looks(), 0),
        looks_without_an_answer: failures.length,
        violations: violations.length,
        late_cuts_by_faults: lateByFaults,
        late_cuts_of_the_node_that_heard: lateOfFirst ?? Number.NaN,
        late_cuts_of_the_node_that_did_not: lateOfSecond ?? Number.NaN,
        back_without_a_disk_ms: Math.round(anewMs),
      },
      targets: {
        slowest_return_ms: { atMost: WHOLE_MS },
        changes_not_borne: { is: 0 },
        answers_that_differ: { is: 0 },
        looks_without_an_answer: { is: 0 },
        violations: { is: 0 },
        late_cuts_by_faults: { is: 0 },
        late_cuts_of_the_node_that_heard: { is: 0 },
        late_cuts_of_the_node_that_did_not: { is: 1 },
        back_without_a_disk_ms: { atMost: WHOLE_MS },
      },
    }
  },
})

interface Trial {
  readonly system: OnAirSystem
  readonly clock: ClockControl
  readonly output: WatchedOutput
  say(line: string): void
}

interface FaultResult {
  /** From the return to a change that is on both nodes. */
  readonly wholeMs: number
  readonly isBorne: boolean
  readonly isSame: boolean
}

async function tryFault(
  { system, clock, output, say }: Trial,
  fault: FeedFault,
  number: number,
): Promise<FaultResult> {
  const probe = (name: string) => ({ ...output, distributor: `${name}-${number}` })
  await fault.strike()
  // What is ordered while it lasts is not lost either.
  await createOutput(system, probe('during'))
  const isBorne = !fault.isBorne || (await isAnswered(system, probe('during')))
  await fault.mend()
  const mendedMs = performance.now()
  await createOutput(system, probe('after'))
  for (const name of ['during', 'after']) await untilAnswered(urlsOf(system), probe(name), 60_000)
  const wholeMs = performance.now() - mendedMs
  say(`${fault.name}: whole after ${Math.round(wholeMs)} ms`)
  const isSame = await atStandstill(clock, () => isSameOnBoth(system, probe('after')))
  return { wholeMs, isBorne, isSame }
}

const isAnswered = (system: OnAirSystem, output: WatchedOutput): Promise<boolean> =>
  untilAnswered(urlsOf(system), output, WHOLE_MS).then(
    () => true,
    () => false,
  )

async function isSameOnBoth({ nodes }: OnAirSystem, output: WatchedOutput): Promise<boolean> {
  const rungs = await findRungs(nodes, output)
  const answers = await Promise.all(rungs.map((rung) => askBoth(nodes, output, `${rung}.m3u8`)))
  return answers.every(({ answer, isSame }) => isSame && answer.status === 200)
}

async function atStandstill<T>(clock: ClockControl, look: () => Promise<T>): Promise<T> {
  await clock.order({ kind: 'rate', rate: 0 })
  const seen = await look()
  await clock.order({ kind: 'rate', rate: 1 })
  return seen
}

/** A node that has lost its disk finds everything in the feed, which was told anew when NATS had lost it. */
async function startAnew({ nodes: [, second] }: OnAirSystem, output: WatchedOutput): Promise<number> {
  await second.kill()
  await second.deleteSnapshot()
  const startedMs = performance.now()
  await second.startAgain()
  await untilAnswered([second.url()], output, 60_000)
  return performance.now() - startedMs
}
