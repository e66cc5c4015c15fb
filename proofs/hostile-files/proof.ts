import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { round } from '@continuity/dev/figures'
import { seededRandom } from '@continuity/dev/seeded-random'
import { pollUntil } from '@continuity/dev/waiting'
import {
  aProgramOf,
  type IngestSystem,
  startIngestSystem,
  untilSlatesAreMade,
} from '../ingest/ingest-system.ts'
import { listPrograms } from '../ingest-kills/count-results.ts'
import { proof } from '../proof.ts'
import { allFiles, choose, leading } from './all-files.ts'
import { type Canary, startCanary } from './canary.ts'
import { type CanaryFiles, makeCanaryFiles } from './canary-files.ts'
import type { HostileFile, HostileKind } from './hostile-file.ts'
import { type HostileOrigin, startHostileOrigin } from './hostile-origin.ts'
import { makeSources } from './source-files.ts'
import { countFollowed } from './unrestricted.ts'
import { type EndedItem, watchItems } from './watch-items.ts'

interface HostileSize {
  readonly isAll: boolean
  /** Minimum number of files that lead an unrestricted program to the bait. */
  readonly leading: number
  /** Minimum number of files tried of each kind. */
  readonly leastOfAKind: number
  /** Limit of one fetch of the worker. Servers that hang are tried eleven times, so it is short at full size. */
  readonly fetchLimitMs: number
}

const KINDS = 13

/** Far longer than all files need. */
const ALL_LIMIT_MS = 540_000

export const hostileFiles = proof<HostileSize>({
  name: 'hostile-files',
  title: 'Hostile files are rejected by the worker',
  promise:
    'Hostile files are submitted through the API to a real worker: playlists, scripts and manifests that name files on ' +
    'the disk and internal addresses, documents with entities, archives, damaged videos, boxes of absurd sizes, ' +
    'pictures of 60,000 x 60,000, three frames that last 30 hours, names that are patterns, servers that never stop, ' +
    'never begin, or lie. Canaries listen at ports that are not allowed, one of them on the host that is allowed at ' +
    'another port; a named pipe on the disk counts its readers, and a video beside it would become an asset if a file ' +
    'led to it. No canary is visited; each file ends FAILED with the expected error code, and no error message ' +
    'contains a path, an internal address or the name of a tool. Afterwards the same worker packages a good file, and ' +
    'no ffmpeg is left running. In the same run the proof visits every canary itself, and an ffprobe without ' +
    'restrictions follows the same files to the bait.',
  sizes: {
    small: { isAll: false, leading: 3, leastOfAKind: 1, fetchLimitMs: 10_000 },
    full: { isAll: true, leading: 20, leastOfAKind: 3, fetchLimitMs: 2_000 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'continuity-hostile-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    const sources = await makeSources(folder)
    const canaries = [opened.use(await startCanary()), opened.use(await startCanary('127.0.0.1'))] as const
    const pipe = opened.use(await makeCanaryFiles(folder, sources['good.ts']))
    const visits = () => pipe.reads() + canaries.reduce((sum, canary) => sum + canary.connections(), 0)
    const controls = await visitEach(canaries, pipe)

    const random = seededRandom(seed)
    const forbiddenHosts = [`127.0.0.1:${canaries[0].port}`, `127.0.0.1:${canaries[1].port}`] as const
    const all = allFiles(sources, { ...pipe, forbiddenHosts }, random)
    const files = choose(all, size.isAll, random)
    const followed = await countFollowed(leading(all, size.isAll), { folder, visits })
    const before = visits()

    const good = { name: 'good.mp4', kind: 'name', body: sources['good.mp4'], codes: [] } as const
    const origin = opened.use(await startHostileOrigin([...files, good]))
    const settings = { FETCH_LIMIT_BYTES: '5000000', FETCH_LIMIT_MS: `${size.fetchLimitMs}` }
    const system = await startIngestSystem(opened, { allow: [origin.host], settings })
    const worker = await system.startWorker('worker')
    // Otherwise their ffmpeg may still run when the programs left are counted.
    await untilSlatesAreMade(system)
    const ended = await submitFiles(system, origin, files, 0)
    const judged = judgeItems(files, ended, { log, inside: [system.home, folder] })
    const visited = visits() - before
    if (visited > 0)
      log(
        `canaries were visited: ${canaries.map((it) => it.connections()).join(' and ')}, pipe ${pipe.reads()}`,
      )
    const [after] = await submitFiles(system, origin, [good], 1)
    if (after?.state !== 'READY') log(`the valid file ended ${after?.state} ${after?.code} ${after?.message}`)
    return {
      figures: {
        files: files.length,
        kinds_of_files_rejected_as_due: judged.asDue.size,
        fewest_rejected_of_a_kind: Math.min(...judged.asDue.values()),
        files_with_wrong_outcome: judged.wrong,
        slowest_ms: round(judged.slowestMs, 0),
        error_messages_with_internals: judged.leaking,
        visits_to_canaries: visited,
        good_files_ready_afterwards: after?.state === 'READY' ? 1 : 0,
        workers_that_ended: worker.isRunning() ? 0 : 1,
        programs_left_running: await countRunning(system, log),
        canaries_that_count_a_control_visit: controls,
        files_that_lead_an_unrestricted_ffprobe_to_the_bait: followed,
      },
      targets: {
        files: { atLeast: size.isAll ? 100 : 16 },
        kinds_of_files_rejected_as_due: { is: KINDS },
        fewest_rejected_of_a_kind: { atLeast: size.leastOfAKind },
        files_with_wrong_outcome: { is: 0 },
        error_messages_with_internals: { is: 0 },
        visits_to_canaries: { is: 0 },
        good_files_ready_afterwards: { is: 1 },
        workers_that_ended: { is: 0 },
        programs_left_running: { is: 0 },
        canaries_that_count_a_control_visit: { is: 3 },
        files_that_lead_an_unrestricted_ffprobe_to_the_bait: { atLeast: size.leading },
      },
    }
  },
})

/** A program that was just cancelled takes a moment to end on a busy machine. */
async function countRunning(system: IngestSystem, log: (line: string) => void): Promise<number> {
  const isNone = async () => ((await listPrograms(system)).length === 0 ? true : undefined)
  await pollUntil(isNone, 120_000).catch(() => undefined)
  const left = await listPrograms(system)
  for (const program of left) log(`still running: ${program}`)
  return left.length
}

/** Visits each canary once, and returns how many of them counted it. */
async function visitEach(canaries: readonly Canary[], pipe: CanaryFiles): Promise<number> {
  for (const { port } of canaries) await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text())
  const content = await text(createReadStream(pipe.pipe))
  const isRead = content === 'secret' && pipe.reads() > 0
  return canaries.filter((canary) => canary.connections() === 1).length + Number(isRead)
}

async function submitFiles(
  system: IngestSystem,
  origin: HostileOrigin,
  files: readonly HostileFile[],
  slot: number,
): Promise<readonly EndedItem[]> {
  const named = files.map(({ name }) => ({ name, address: origin.addressOf(name) }))
  return watchItems(system, await system.submit(aProgramOf(system.channelId, named, slot)), ALL_LIMIT_MS)
}

function judgeItems(
  files: readonly HostileFile[],
  ended: readonly EndedItem[],
  { log, inside }: { log(line: string): void; readonly inside: readonly string[] },
) {
  const judged = { wrong: 0, leaking: 0, slowestMs: 0 }
  const asDue = new Map<HostileKind, number>()
  const byName = new Map(ended.map((item) => [item.name, item]))
  for (const { name, kind, codes } of files) {
    const { state, code, message, tookMs } = byName.get(name) ?? NOT_REPORTED
    judged.slowestMs = Math.max(judged.slowestMs, tookMs)
    if (inside.some((path) => message.includes(path)) || /127\.0\.0\.1|ffmpeg|ffprobe/.test(message)) {
      judged.leaking += 1
      log(`${name} error message contains internals: ${message}`)
    }
    if (state === 'FAILED' && codes.includes(code)) asDue.set(kind, (asDue.get(kind) ?? 0) + 1)
    else {
      judged.wrong += 1
      log(`${name} ended ${state} ${code} ${message}`)
    }
  }
  return { ...judged, asDue }
}

const NOT_REPORTED = { state: 'NOT_REPORTED', code: '', message: '', tookMs: 0 }
