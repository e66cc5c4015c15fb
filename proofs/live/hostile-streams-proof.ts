import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { createDraw } from '@continuity/dev/draw'
import { round } from '@continuity/dev/figures'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { startTestSource, usualSource } from '@continuity/test-source/test-source'
import { LIVE_LOG_STREAM, logSubject } from '../../packages/server/src/platform/live-bus/live-streams.ts'
import { readLast } from '../../packages/server/src/platform/live-bus/publish-after.ts'
import { startCanary } from '../hostile-files/canary.ts'
import { makeCanaryFiles } from '../hostile-files/canary-files.ts'
import { proof } from '../proof.ts'
import { makeSegments } from './broken-sources.ts'
import { type Mutant, makeMutants } from './hostile-mutants.ts'
import { type HostileOrigin, startHostileStreams } from './hostile-streams-origin.ts'
import { childrenOf } from './live-system.ts'
import { type LoneReceiver, startLoneReceiver } from './lone-receiver.ts'

interface HostileSize {
  readonly mutants: number
  readonly atOnce: number
  /** How long mutants are received; those that fail are tried again meanwhile. */
  readonly watchMs: number
  readonly leastOutcomes: number
}

const PATIENCE_MS = 120_000

export const hostileStreams = proof<HostileSize>({
  name: 'hostile-streams',
  title: 'Hostile playlists, segments and streams do not stop a receiver',
  promise:
    'Live streams that were mutated at random are received by a real receiver process: flipped bytes, mangled tags, huge ' +
    'values and playlists, truncated and shuffled segments, segments that are playlists, false lengths, playlists that lead ' +
    'to themselves, NULs, noise in place of keys and maps, and addresses of files and internal servers in every place that ' +
    'takes an address. A canary listens at an address that is not allowed, and a named pipe on the disk counts its readers: ' +
    'neither is accessed. The receiver keeps running, receives a good source afterwards, and nothing that it started is left. In ' +
    'the same run the proof accesses both canaries itself.',
  sizes: {
    small: { mutants: 6, atOnce: 6, watchMs: 8_000, leastOutcomes: 3 },
    full: { mutants: 150, atOnce: 12, watchMs: 25_000, leastOutcomes: 7 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const folder = await temporaryFolder(opened)
    const segments = await makeSegments(folder, 'good', [])
    const canary = opened.use(await startCanary('127.0.0.1'))
    const pipe = opened.use(await makeCanaryFiles(folder, segments[0]!))
    const visits = () => canary.connections() + pipe.reads()
    await fetch(`http://127.0.0.1:${canary.port}/`).then((answer) => answer.text())
    await text(createReadStream(pipe.pipe))
    const controls = canary.connections() + Math.min(1, pipe.reads())

    const bait = { canary: `127.0.0.1:${canary.port}`, pipe: pipe.pipe }
    const mutants = makeMutants(size.mutants, (at) => createDraw(1_000 * seed + at), bait)
    const origin = await startHostileStreams(opened, mutants, segments)
    const goodSource = { ...usualSource, size: '160x90', segmentSeconds: 1 }
    const good = opened.use(await startTestSource(goodSource))
    const receiver = await startLoneReceiver(opened, {
      allow: [origin.host, new URL(good.url).host],
      settings: { LADDER: '160x90@100+64', ENCODER_PRESET: 'ultrafast' },
    })
    const before = visits()
    const outcomes: string[] = []
    for (let at = 0; at < mutants.length; at += size.atOnce) {
      const batch = mutants.slice(at, at + size.atOnce)
      const ended = await receiveAll(receiver, origin, batch, size.watchMs)
      for (const [index, outcome] of ended.entries()) {
        log(`${batch[index]!.name}, ${batch[index]!.kind}: ${outcome}`)
      }
      outcomes.push(...ended)
    }
    await using reception = await receiver.receive(good.url)
    const hasSlot = async () => ((await countSlots(receiver, reception.sourceId)) > 0 ? true : undefined)
    const isReceived = (await pollUntil(hasSlot, PATIENCE_MS)) ?? false
    const memory = await peakMemoryMb(receiver)
    await reception[Symbol.asyncDispose]()
    const isQuiet = async () => ((await childrenOf(receiver.child.pid)).length === 0 ? true : undefined)
    await pollUntil(isQuiet, PATIENCE_MS)
    return {
      figures: {
        mutants: mutants.length,
        kinds: new Set(mutants.map(({ kind }) => kind)).size,
        mutants_requested: origin.requested.size,
        mutants_whose_media_was_requested: origin.mediaRequested.size,
        outcomes: new Set(outcomes).size,
        share_that_is_not_received: round(
          outcomes.filter((it) => it !== RECEIVED).length / mutants.length,
          2,
        ),
        visits_to_canaries: visits() - before,
        canaries_that_count_a_control_visit: controls,
        good_sources_received_afterwards: isReceived ? 1 : 0,
        receivers_that_ended: receiver.child.isRunning() ? 0 : 1,
        programs_left_running: (await childrenOf(receiver.child.pid)).length,
        peak_memory_of_the_receiver_mb: memory,
      },
      targets: {
        mutants: { is: size.mutants },
        mutants_requested: { is: size.mutants },
        mutants_whose_media_was_requested: { atLeast: Math.floor(size.mutants / 3) },
        outcomes: { atLeast: size.leastOutcomes },
        share_that_is_not_received: { atLeast: 0.3 },
        visits_to_canaries: { is: 0 },
        canaries_that_count_a_control_visit: { is: 2 },
        good_sources_received_afterwards: { is: 1 },
        receivers_that_ended: { is: 0 },
        programs_left_running: { is: 0 },
      },
    }
  },
})

const RECEIVED = 'received'

/** The outcome of each: received, or the first fault that the receiver logged for it. */
async function receiveAll(
  receiver: LoneReceiver,
  origin: HostileOrigin,
  mutants: readonly Mutant[],
  watchMs: number,
): Promise<readonly string[]> {
  await using opened = new AsyncDisposableStack()
  const ids: string[] = []
  for (const mutant of mutants) {
    ids.push(opened.use(await receiver.receive(origin.urlOf(mutant))).sourceId)
  }
  await setTimeout(watchMs)
  // A busy receiver has not logged anything yet of some of them.
  const isEach = () => mutants.every(({ name }) => origin.requested.has(name)) || undefined
  await pollUntil(isEach, PATIENCE_MS)
  const lines = (await readFile(receiver.logFile, 'utf8')).split('\n').filter((line) => line.startsWith('{'))
  const logged = lines.map((line) => JSON.parse(line) as { readonly source?: string; readonly code?: string })
  return Promise.all(
    ids.map(async (id) => {
      if ((await countSlots(receiver, id)) > 0) return RECEIVED
      return logged.find(({ source, code }) => source === id && code !== undefined)?.code ?? 'no fault yet'
    }),
  )
}

async function countSlots({ bus }: LoneReceiver, sourceId: string): Promise<number> {
  const message = await readLast(bus, LIVE_LOG_STREAM, logSubject({ sourceId, input: 0 }))
  return message === null ? 0 : 1
}

async function peakMemoryMb({ child }: LoneReceiver): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
}
