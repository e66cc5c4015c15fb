import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '@continuity/dev/child-process'
import { median, round } from '@continuity/dev/figures'
import { type Origin, startOrigin } from '@continuity/dev/origin'
import { seededRandom } from '@continuity/dev/seeded-random'
import { makeSmallFiles } from '@continuity/dev/small-files'
import { pollUntil } from '@continuity/dev/waiting'
import { aProgramOf, type IngestSystem, startIngestSystem, untilEnded } from '../ingest/ingest-system.ts'
import { proof } from '../proof.ts'
import { checkResults, FRAME_RATE, listPrograms, nothingChecked } from './count-results.ts'
import { watchTakeovers } from './watch-jobs.ts'

interface KillsSize {
  readonly items: number
  /** Durations of the videos, repeating: the batch has to outlast the kills. */
  readonly seconds: readonly number[]
  readonly kills: number
  /** Maximum time from when a worker starts to package until it is killed. */
  readonly delayMs: number
  readonly restarts: number
  /** Limit until other workers can take a lost job. Small runs share the machine with other tests. */
  readonly freedWithinMs: number
  /** How many lost jobs must wait beside others; a small batch has too few. */
  readonly queued?: number
  readonly limitMs: number
}

export const ingestKills = proof<KillsSize>({
  name: 'ingest-kills',
  title: 'Workers that are killed while they package',
  promise:
    'A batch of small videos goes through the API to two workers. Meanwhile workers are killed (SIGKILL) at random ' +
    'moments of their work and others started in their place, and PostgreSQL is stopped and started again. Every video ' +
    'becomes READY, once; every package is read to the last byte and is as long as its file; a job that a killed worker ' +
    'was running can be taken by another within 20 s, and starts before any job that has never run; no ffmpeg outlives ' +
    'its worker.',
  sizes: {
    small: {
      items: 9,
      seconds: [2, 3, 4],
      kills: 2,
      delayMs: 300,
      restarts: 1,
      freedWithinMs: 90_000,
      limitMs: 400_000,
    },
    full: {
      items: 150,
      seconds: [20, 30, 40, 50],
      kills: 40,
      delayMs: 2_500,
      restarts: 5,
      freedWithinMs: 20_000,
      queued: 20,
      limitMs: 1_800_000,
    },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'continuity-files-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    const names = await makeSmallFiles(folder, size.items, size.seconds)
    const secondsOf = new Map(names.map((name, i) => [name, size.seconds[i % size.seconds.length]!]))
    const origin = opened.use(await startOrigin(folder))
    const system = await startIngestSystem(opened, { allow: [origin.host] })
    const files = names.map((name) => ({ name, address: origin.addressOf(name) }))
    const requestId = await system.submit(aProgramOf(system.channelId, files))
    const ended = untilEnded(system, requestId, { withinMs: size.limitMs }).catch(() =>
      system.statusOf(requestId),
    )
    const disruptions = await killAndRestart(system, origin, size, seed, log, () => isOver(ended))
    const { items } = await ended
    await Promise.all(disruptions.workers.map((worker) => worker.stop()))
    const unready = items.filter(({ state }) => state !== 'READY')
    // If a video is not ready, the proof has failed already.
    const results = unready.length > 0 ? nothingChecked : await checkResults(system, secondsOf)
    for (const { video_source_id, state, reason } of unready.slice(0, 10))
      log(`${video_source_id} is ${state} ${reason?.code ?? ''}`)
    for (const fault of results.faults.slice(0, 20)) log(fault)
    const seconds = [...secondsOf.values()].reduce((sum, one) => sum + one, 0)
    return {
      figures: {
        items: size.items,
        items_ready: items.length - unready.length,
        workers_killed: disruptions.kills,
        workers_killed_while_ffmpeg_ran: disruptions.struck,
        database_restarts: disruptions.restarts,
        jobs_lost_and_run_again: disruptions.tookMs.length,
        freed_median_ms: medianOf(disruptions.freedMs),
        freed_worst_ms: round(Math.max(0, ...disruptions.freedMs), 0),
        run_again_median_ms: medianOf(disruptions.tookMs),
        run_again_worst_ms: round(Math.max(0, ...disruptions.tookMs), 0),
        waited_beside_jobs_that_never_ran: disruptions.queued,
        overtaken_by_jobs_that_never_ran: disruptions.overtaken,
        published_twice: results.twice,
        packages_read_to_the_last_byte: results.packages,
        segments_read: results.segments,
        seconds_decoded: round(results.frames / FRAME_RATE, 1),
        faults_in_packages: results.faults.length,
        programs_that_outlived_their_worker: disruptions.orphans,
        programs_left_running: (await listPrograms(system)).length,
      },
      targets: {
        items_ready: { is: size.items },
        workers_killed: { is: size.kills },
        workers_killed_while_ffmpeg_ran: { atLeast: Math.ceil(size.kills / 2) },
        database_restarts: { is: size.restarts },
        jobs_lost_and_run_again: { atLeast: Math.ceil(size.kills / 2) },
        freed_worst_ms: { atMost: size.freedWithinMs },
        ...(size.queued !== undefined && { waited_beside_jobs_that_never_ran: { atLeast: size.queued } }),
        overtaken_by_jobs_that_never_ran: { is: 0 },
        published_twice: { is: 0 },
        packages_read_to_the_last_byte: { is: size.items },
        segments_read: { atLeast: size.items },
        seconds_decoded: { atLeast: round(0.95 * seconds, 1) },
        faults_in_packages: { is: 0 },
        programs_that_outlived_their_worker: { is: 0 },
        programs_left_running: { is: 0 },
      },
    }
  },
})

const medianOf = (times: readonly number[]): number => (times.length === 0 ? 0 : round(median(times), 0))

interface Disruptions {
  readonly kills: number
  /** Kills of a worker while its ffmpeg was running. */
  readonly struck: number
  readonly restarts: number
  readonly freedMs: readonly number[]
  readonly tookMs: readonly number[]
  readonly queued: number
  readonly overtaken: number
  readonly orphans: number
  readonly workers: readonly Child[]
}

async function killAndRestart(
  system: IngestSystem,
  origin: Origin,
  { items, kills, delayMs, restarts }: KillsSize,
  seed: number,
  log: (line: string) => void,
  isDone: () => Promise<boolean>,
): Promise<Disruptions> {
  const random = seededRandom(seed)
  const takeovers = watchTakeovers(system.database)
  // One video is withheld for each kill, so that the batch outlasts them; a kill that is put off takes one of these.
  origin.serveAtMost(items - kills)
  const workers = [await system.startWorker('worker-0'), await system.startWorker('worker-1')]
  const programsOf = async (which: number) =>
    (await listPrograms({ home: join(system.home, `worker-${which}`) })).length
  let [orphans, killed, struck, missed, restarted] = [0, 0, 0, 0, 0]
  while (killed < kills) {
    origin.serveAtMost(items - kills + killed + missed + 1)
    const first = Math.floor(random() * workers.length)
    const which = await firstPackaging([first, 1 - first], programsOf, isDone)
    if (which === undefined) break
    // A random delay, to kill the worker at any point of its work.
    await sleep(random() * delayMs)
    const worker = workers[which]!
    // At random it may be between two programs, but half of the kills have to strike one: the next video is another chance.
    if (2 * struck <= killed && (await programsOf(which)) === 0) {
      missed += 1
      continue
    }
    await takeovers.recordKill()
    if ((await programsOf(which)) > 0) struck += 1
    process.kill(worker.pid, 'SIGKILL')
    await worker.exited
    killed += 1
    orphans += await countOrphans(() => programsOf(which))
    workers[which] = await system.startWorker(`worker-${which}`)
    if (restarted < restarts && killed > (restarted * kills) / restarts) {
      await system.postgres().stop()
      await system.startPostgresAgain()
      restarted += 1
    }
    if (killed % 10 === 0) log(`${killed} workers killed, PostgreSQL restarted ${restarted} times`)
  }
  if (killed < kills) log(`the batch was over after ${killed} kills`)
  await waitFor(isDone)
  await takeovers.stop()
  return {
    kills: killed,
    struck,
    restarts: restarted,
    freedMs: takeovers.freedMs,
    tookMs: takeovers.tookMs,
    queued: takeovers.queued.size,
    overtaken: takeovers.overtaken.size,
    orphans,
    workers,
  }
}

/** The first worker that packages; undefined if the batch is over. */
async function firstPackaging(
  workers: readonly number[],
  programsOf: (worker: number) => Promise<number>,
  isDone: () => Promise<boolean>,
): Promise<number | undefined> {
  while (!(await isDone())) {
    for (const worker of workers) if ((await programsOf(worker)) > 0) return worker
    await sleep(50)
  }
  return undefined
}

/** The kernel kills them with their worker, after a moment. */
async function countOrphans(programs: () => Promise<number>): Promise<number> {
  await pollUntil(async () => (await programs()) === 0 || undefined, 20_000)
  return programs()
}

async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await sleep(250)
}

async function isOver(work: Promise<unknown>): Promise<boolean> {
  const over = work.then(
    () => true,
    () => true,
  )
  return Promise.race([over, sleep(0, false)])
}
