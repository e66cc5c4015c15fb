import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { round } from '../../tools/figures/figures.ts'
import { type Canary, startCanary } from '../hostile-addresses/canary.ts'
import { aProgramOf, type IngestSystem, startIngestSystem } from '../ingest/ingest-system.ts'
import { countPrograms } from '../ingest-kills/count-results.ts'
import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { allFiles, choose, leading } from './all-files.ts'
import { type CanaryFiles, makeCanaryFiles } from './canary-files.ts'
import type { HostileFile } from './hostile-file.ts'
import { type HostileOrigin, startHostileOrigin } from './hostile-origin.ts'
import { makeSources } from './source-files.ts'
import { countFollowed } from './unguarded.ts'
import { type EndedItem, watchItems } from './watch-items.ts'

interface HostileSize {
  readonly isAll: boolean
  /** How many of the files at least would lead a program astray that has no guard. */
  readonly leading: number
}

/** Of the worker: so that what never ends is over soon. */
const settings = { FETCH_LIMIT_BYTES: '5000000', FETCH_LIMIT_MS: '2000' }

/** A server that hangs is asked eleven times, for as long as fetching may take; others wait beside it. */
const FILE_LIMIT_MS = 120_000
const ALL_LIMIT_MS = 540_000

export const hostileFiles = proof<HostileSize>({
  name: 'hostile-files',
  title: 'Files that mean harm',
  promise:
    'Hostile files are handed over through the API to a real worker: playlists, scripts and manifests that name files ' +
    'of the disk and addresses of the inside, documents with entities, archives, damaged videos, boxes of absurd sizes, ' +
    'pictures of 60,000 x 60,000, three frames that last 30 hours, names that are patterns, servers that never stop, ' +
    'never begin, or lie. Canaries listen at ports that the guard does not know, one of them on the very host that it ' +
    'allows; a pipe on the disk notices whoever opens it, and a video lies beside it that would become an asset if it ' +
    'were followed. Nobody comes to a canary; each file ends FAILED with the code that is due, in time, and no reason ' +
    'tells of the inside. Afterwards the same worker packages a good file, and no ffmpeg is left. That the canaries ' +
    'sing is shown by the proof itself, and by an ffprobe that opens the same files without a guard.',
  sizes: { small: { isAll: false, leading: 3 }, full: { isAll: true, leading: 20 } },
  async run({ size, seed, say }) {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'continuity-hostile-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    const sources = await makeSources(folder)
    const canaries = [opened.use(await startCanary()), opened.use(await startCanary('127.0.0.1'))] as const
    const pipe = opened.use(await makeCanaryFiles(folder, sources['good.ts']))
    const songs = () => pipe.reads() + canaries.reduce((sum, canary) => sum + canary.connections(), 0)
    const sang = await singOnce(canaries, pipe)

    const random = seededRandom(seed)
    const strangers = [`127.0.0.1:${canaries[0].port}`, `127.0.0.1:${canaries[1].port}`] as const
    const all = allFiles(sources, { ...pipe, strangers }, random)
    const files = choose(all, size.isAll, random)
    const followed = await countFollowed(leading(all, size.isAll), { folder, songs })
    const before = songs()

    const good = { name: 'good.mp4', kind: 'name', body: sources['good.mp4'], codes: [] } as const
    const origin = opened.use(await startHostileOrigin([...files, good]))
    const system = await startIngestSystem(opened, { allow: [origin.place], settings })
    const worker = await system.startWorker('worker')
    const ended = await handOver(system, origin, files, 0)
    const judged = judgeItems(files, ended, { say, inside: [system.home, folder] })
    const [after] = await handOver(system, origin, [good], 1)
    return {
      figures: {
        files: files.length,
        files_refused_with_the_code_that_is_due: judged.asDue,
        files_that_ended_otherwise: files.length - judged.asDue,
        files_that_took_too_long: judged.late,
        slowest_ms: round(judged.slowestMs, 0),
        reasons_that_tell_of_the_inside: judged.telling,
        visits_to_canaries: songs() - before,
        good_files_ready_afterwards: after?.state === 'READY' ? 1 : 0,
        workers_that_ended: worker.isRunning() ? 0 : 1,
        programs_left_behind: await countPrograms(system),
        canaries_that_sang_for_the_proof: sang,
        files_that_lead_an_unguarded_ffprobe_astray: followed,
      },
      targets: {
        files: { atLeast: size.isAll ? 100 : 12 },
        files_refused_with_the_code_that_is_due: { is: files.length },
        files_that_ended_otherwise: { is: 0 },
        files_that_took_too_long: { is: 0 },
        reasons_that_tell_of_the_inside: { is: 0 },
        visits_to_canaries: { is: 0 },
        good_files_ready_afterwards: { is: 1 },
        workers_that_ended: { is: 0 },
        programs_left_behind: { is: 0 },
        canaries_that_sang_for_the_proof: { is: 3 },
        files_that_lead_an_unguarded_ffprobe_astray: { atLeast: size.leading },
      },
    }
  },
})

/** Comes to each canary once, and counts those who noticed. */
async function singOnce(canaries: readonly Canary[], pipe: CanaryFiles): Promise<number> {
  for (const { port } of canaries) await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text())
  const word = await text(createReadStream(pipe.pipe))
  const isRead = word === 'secret' && pipe.reads() > 0
  return canaries.filter((canary) => canary.connections() === 1).length + Number(isRead)
}

async function handOver(
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
  { say, inside }: { say(line: string): void; readonly inside: readonly string[] },
) {
  const judged = { asDue: 0, late: 0, telling: 0, slowestMs: 0 }
  const codesOf = new Map(files.map(({ name, codes }) => [name, codes]))
  for (const { name, state, code, message, tookMs } of ended) {
    judged.slowestMs = Math.max(judged.slowestMs, tookMs)
    if (tookMs > FILE_LIMIT_MS) judged.late += 1
    if (inside.some((path) => message.includes(path)) || /127\.0\.0\.1|ffmpeg|ffprobe/.test(message)) {
      judged.telling += 1
      say(`${name} tells: ${message}`)
    }
    if (state === 'FAILED' && codesOf.get(name)?.includes(code)) judged.asDue += 1
    else say(`${name} ended ${state} ${code} ${message}`)
  }
  return judged
}
