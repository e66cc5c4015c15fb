import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '../../tools/dev-stack/child-process.ts'
import { median, round } from '../../tools/figures/figures.ts'
import { aProgramOf, type IngestSystem, startIngestSystem, untilEnded } from '../ingest/ingest-system.ts'
import { startOrigin } from '../ingest/origin.ts'
import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { countPrograms, countResults } from './count-results.ts'
import { makeSmallFiles } from './small-files.ts'
import { watchTakeovers } from './watch-jobs.ts'

interface KillsSize {
  readonly items: number
  /** Of the videos, in turn: the batch has to outlast the kills. */
  readonly seconds: readonly number[]
  readonly kills: number
  /** From one kill to the next, at most. */
  readonly everyMs: number
  readonly restarts: number
  readonly limitMs: number
}

export const ingestKills = proof<KillsSize>({
  name: 'ingest-kills',
  title: 'Workers that are killed while they package',
  promise:
    'A batch of small videos goes through the API to two workers. Meanwhile workers are killed (SIGKILL) at random ' +
    'moments and others started in their place, and PostgreSQL is stopped and started again. Every video becomes READY, ' +
    'once, with a package that is whole; what a killed worker had in hand is in the hands of another within 20 s; no ' +
    'ffmpeg outlives its worker.',
  sizes: {
    small: { items: 30, seconds: [2, 3, 4, 6], kills: 5, everyMs: 2_000, restarts: 1, limitMs: 240_000 },
    full: {
      items: 150,
      seconds: [20, 30, 40, 50],
      kills: 40,
      everyMs: 3_100,
      restarts: 5,
      limitMs: 1_800_000,
    },
  },
  async run({ size, seed, say }) {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'continuity-files-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    const names = await makeSmallFiles(folder, size.items, size.seconds)
    const origin = opened.use(await startOrigin(folder))
    const system = await startIngestSystem(opened, { allow: [origin.place] })
    const files = names.map((name) => ({ name, address: origin.addressOf(name) }))
    const requestId = await system.submit(aProgramOf(system.channelId, files))
    const ended = untilEnded(system, requestId, { withinMs: size.limitMs })
    const troubles = await makeTrouble(system, size, seed, say, () => isOver(ended))
    const { items } = await ended
    await Promise.all(troubles.workers.map((worker) => worker.stop()))
    const results = await countResults(system)
    return {
      figures: {
        items: size.items,
        items_ready: items.filter(({ state }) => state === 'READY').length,
        workers_killed: troubles.kills,
        database_restarts: troubles.restarts,
        jobs_lost_and_taken_again: troubles.tookMs.length,
        taken_again_median_ms: round(median(troubles.tookMs.length === 0 ? [0] : troubles.tookMs), 0),
        taken_again_worst_ms: round(Math.max(0, ...troubles.tookMs), 0),
        published_twice: results.twice,
        packages_not_whole: results.broken,
        programs_that_outlived_their_worker: troubles.orphans,
        programs_left_behind: await countPrograms(system),
      },
      targets: {
        items_ready: { is: size.items },
        workers_killed: { atLeast: size.kills },
        database_restarts: { is: size.restarts },
        taken_again_worst_ms: { atMost: 20_000 },
        published_twice: { is: 0 },
        packages_not_whole: { is: 0 },
        programs_that_outlived_their_worker: { is: 0 },
        programs_left_behind: { is: 0 },
      },
    }
  },
})

interface Troubles {
  readonly kills: number
  readonly restarts: number
  readonly tookMs: readonly number[]
  readonly orphans: number
  readonly workers: readonly Child[]
}

async function makeTrouble(
  system: IngestSystem,
  { kills, everyMs, restarts }: KillsSize,
  seed: number,
  say: (line: string) => void,
  isDone: () => Promise<boolean>,
): Promise<Troubles> {
  const random = seededRandom(seed)
  const takeovers = watchTakeovers(system.database)
  const workers = [await system.startWorker('worker-0'), await system.startWorker('worker-1')]
  let orphans = 0
  let killed = 0
  let restarted = 0
  for (; killed < kills && !(await isDone()); killed += 1) {
    // Anywhere in the work. This is not a wait for something: it is what is tried.
    await sleep(500 + random() * everyMs)
    const which = Math.floor(random() * workers.length)
    const worker = workers[which]!
    await takeovers.mark()
    process.kill(worker.pid, 'SIGKILL')
    await worker.exited
    orphans += await countOrphans(system, `worker-${which}`)
    workers[which] = await system.startWorker(`worker-${which}`)
    if (restarted < restarts && killed % Math.ceil(kills / restarts) === 0) {
      await system.postgres().stop()
      await system.startPostgresAgain()
      restarted += 1
    }
    if (killed % 5 === 4) say(`${killed + 1} workers killed, PostgreSQL started ${restarted} times again`)
  }
  await waitFor(isDone)
  await takeovers.stop()
  return { kills: killed, restarts: restarted, tookMs: takeovers.tookMs, orphans, workers }
}

/** The kernel ends them with their worker; it takes a moment. */
async function countOrphans({ home }: IngestSystem, worker: string): Promise<number> {
  const lateMs = performance.now() + 2_000
  for (;;) {
    const left = await countPrograms({ home: join(home, worker) })
    if (left === 0 || performance.now() > lateMs) return left
    await sleep(50)
  }
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
