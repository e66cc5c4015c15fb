import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { round } from '@continuity/dev/figures'
import { keepDoing } from '@continuity/dev/keep-doing'
import { measured } from '@continuity/dev/measured'
import { startOrigin } from '@continuity/dev/origin'
import { seededRandom } from '@continuity/dev/seeded-random'
import { makeSmallFiles } from '@continuity/dev/small-files'
import type { Sql } from '@continuity/dev/sql'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { proof } from './proof.ts'
import { checkPackage } from './shared/check-package.ts'
import { aProgramOf, startIngestSystem, untilEnded } from './shared/ingest-system.ts'
import { listPrograms } from './shared/list-programs.ts'
import { killAtOnce } from './shared/on-air-system.ts'

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
  readonly queued: number
  readonly limitMs: number
}

/** The default of an account. */
const FRAME_RATE = 30

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
      queued: 0,
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
    const { kills, restarts } = size
    const folder = await temporaryFolder(opened)
    const names = await makeSmallFiles(folder, size.items, size.seconds)
    const origin = opened.use(await startOrigin(folder))
    const system = await startIngestSystem(opened, { allow: [origin.host] })
    const { sql } = system
    const files = names.map((name) => ({ name, address: origin.addressOf(name) }))
    const requestId = await system.submit(aProgramOf(system.channelId, files))
    let isOver = false
    const ending = untilEnded(system, requestId, { withinMs: size.limitMs })
      .catch(() => system.statusOf(requestId))
      .finally(() => {
        isOver = true
      })

    const random = seededRandom(seed)
    const takeovers = watchTakeovers(sql)
    opened.defer(() => takeovers.stop())
    // One video is withheld for each kill, so that the batch outlasts them; a kill that is put off takes one of these.
    origin.serveAtMost(size.items - kills)
    const workers = [await system.startWorker('worker-0'), await system.startWorker('worker-1')]
    const programsOf = (which: number) => listPrograms(join(system.home, `worker-${which}`)).length
    let [killed, struck, putOff, restarted, orphans] = [0, 0, 0, 0, 0]
    while (killed < kills) {
      origin.serveAtMost(size.items - kills + killed + putOff + 1)
      const first = Math.floor(random() * workers.length)
      const isPackaging = async () => {
        await sleep(50)
        return isOver ? 'over' : [first, 1 - first].find((which) => programsOf(which) > 0)
      }
      const which = await pollUntil(isPackaging, size.limitMs)
      if (which === undefined || which === 'over') break
      // A random delay, to kill the worker at any point of its work.
      await sleep(random() * size.delayMs)
      // It may be between two programs, but half of the kills have to strike one: the next video is another chance.
      if (2 * struck <= killed && programsOf(which) === 0) {
        putOff += 1
        continue
      }
      await takeovers.recordKill()
      if (programsOf(which) > 0) struck += 1
      await killAtOnce(workers[which]!)
      killed += 1
      // The kernel kills them with their worker, after a moment.
      await pollUntil(() => programsOf(which) === 0 || undefined, 20_000)
      orphans += programsOf(which)
      workers[which] = await system.startWorker(`worker-${which}`)
      if (restarted < restarts && killed > (restarted * kills) / restarts) {
        await system.postgres().stop()
        await system.startPostgresAgain()
        restarted += 1
      }
      if (killed % 10 === 0) log(`${killed} workers killed, PostgreSQL restarted ${restarted} times`)
    }
    if (killed < kills) log(`the batch was over after ${killed} kills`)
    const { items } = await ending
    await takeovers.stop()
    await Promise.all(workers.map((worker) => worker.stop()))
    for (const { video_source_id, state, reason } of items.filter((it) => it.state !== 'READY').slice(0, 10))
      log(`${video_source_id} is ${state} ${reason?.code ?? ''}`)

    const secondsOf = new Map(names.map((name, i) => [name, size.seconds[i % size.seconds.length]!]))
    const results = await checkResults(sql, system.mediaFolder, secondsOf)
    for (const fault of results.faults.slice(0, 20)) log(fault)
    const seconds = [...secondsOf.values()].reduce((sum, one) => sum + one, 0)
    return measured({
      items_ready: [items.filter(({ state }) => state === 'READY').length, { is: size.items }],
      workers_killed: [killed, { is: kills }],
      workers_killed_while_ffmpeg_ran: [struck, { atLeast: Math.ceil(kills / 2) }],
      database_restarts: [restarted, { is: restarts }],
      jobs_lost_and_run_again: [takeovers.freedMs.length, { atLeast: Math.ceil(kills / 2) }],
      freed_worst_ms: [round(Math.max(0, ...takeovers.freedMs), 0), { atMost: size.freedWithinMs }],
      waited_beside_jobs_that_never_ran: [takeovers.queued.size, { atLeast: size.queued }],
      overtaken_by_jobs_that_never_ran: [takeovers.overtaken.size, { is: 0 }],
      published_twice: [results.twice, { is: 0 }],
      packages_read_to_the_last_byte: [results.packages, { is: size.items }],
      segments_read: [results.segments, { atLeast: size.items }],
      seconds_decoded: [round(results.frames / FRAME_RATE, 1), { atLeast: round(0.95 * seconds, 1) }],
      faults_in_packages: [results.faults.length, { is: 0 }],
      programs_that_outlived_their_worker: [orphans, { is: 0 }],
      programs_left_running: [listPrograms(system.home).length, { is: 0 }],
    })
  },
})

/** Checks the packages of the partner's files; slates are not counted. */
async function checkResults(sql: Sql, mediaFolder: string, secondsOf: ReadonlyMap<string, number>) {
  const rows = await sql.query<{ video: string; address: string; path: string | null; published: number }>(
    `select a.video_id as video, a.made_from as address, a.package_path as path,
            (select count(*)::integer from audit_entries e
              where e.subject_id = a.video_id::text and e.after ->> 'status' = 'READY') as published
       from assets a where a.made_from not like 'slate:%'`,
  )
  const ready = rows.filter(({ path }) => path !== null)
  const found = {
    /** Videos that became READY more than once, or that have two assets. */
    twice:
      rows.length -
      new Set(rows.map(({ video }) => video)).size +
      ready.filter(({ published }) => published !== 1).length,
    packages: 0,
    segments: 0,
    /** Over all renditions. */
    frames: 0,
    faults: [] as string[],
  }
  for (const { path, address } of ready) {
    const name = address.slice(address.lastIndexOf('/') + 1)
    const checked = await checkPackage(join(mediaFolder, path!))
    found.faults.push(...checked.faults.map((fault) => `${name}: ${fault}`))
    const seconds = checked.frames / checked.renditions / FRAME_RATE
    const expected = secondsOf.get(name) ?? Number.NaN
    if (!(Math.abs(seconds - expected) < 0.1))
      found.faults.push(`${name} lasts ${seconds} s, not ${expected} s`)
    found.packages += 1
    found.segments += checked.segments
    found.frames += checked.frames
  }
  return found
}

/** A row of the queue. */
interface Job {
  readonly id: string
  readonly attempt: number
  readonly state: 'created' | 'retry' | 'active' | 'completed' | 'failed'
  /** False while a job that failed has to wait before it is tried again. */
  readonly isDue: boolean
  /** The last one of its worker. */
  readonly heartbeat: string | null
}

interface LostJob {
  readonly job: Job
  /** Since the kill. A job of the worker that was not killed then, and is lost later, counts from its last heartbeat. */
  readonly sinceMs: number
  /** When other workers could take it. */
  readonly freedMs?: number
  /** When a job that had never run was started instead. */
  readonly overtakenMs?: number | undefined
}

/** Two workers may take jobs at the same moment, in any order. */
const AT_THE_SAME_TIME_MS = 1_000

/** Measures from the queue's rows how long lost jobs wait for their next attempt. */
function watchTakeovers(sql: Sql) {
  const waiting = new Map<string, LostJob>()
  /** Of each lost job, the time until other workers could take it. */
  const freedMs: number[] = []
  /** Lost jobs that waited beside jobs that had never run. */
  const queued = new Set<string>()
  /** Lost jobs that still waited a second after a job that had never run was started. */
  const overtaken = new Set<string>()
  let unstarted = new Set<string>()

  const listJobs = () =>
    sql.query<Job>(
      `select id, retry_count as attempt, state, start_after <= now() as "isDue", heartbeat_on::text as heartbeat
         from pgboss.job where name = 'package_asset'`,
    )
  const look = async () => {
    const jobs = new Map((await listJobs()).map((job) => [job.id, job]))
    const nowMs = performance.now()
    const hasStarted = [...unstarted].some((id) => jobs.get(id)?.state !== 'created')
    unstarted = new Set([...jobs.values()].filter(({ state }) => state === 'created').map(({ id }) => id))
    for (const [id, lost] of waiting) {
      const now = jobs.get(id)
      if (now === undefined || (now.state === 'completed' && now.attempt === lost.job.attempt)) {
        waiting.delete(id)
      } else if (now.attempt > lost.job.attempt) {
        freedMs.push((lost.freedMs ?? nowMs) - lost.sinceMs)
        waiting.delete(id)
      } else if (now.state === 'retry') {
        if (!now.isDue) continue
        if (unstarted.size > 0) queued.add(`${id} ${now.attempt}`)
        // A worker may have looked for a job before this one was free.
        const isOvertaken = hasStarted && nowMs - (lost.freedMs ?? nowMs) > AT_THE_SAME_TIME_MS
        const overtakenMs = lost.overtakenMs ?? (isOvertaken ? nowMs : undefined)
        if (nowMs - (overtakenMs ?? nowMs) > AT_THE_SAME_TIME_MS) overtaken.add(`${id} ${now.attempt}`)
        waiting.set(id, { ...lost, freedMs: lost.freedMs ?? nowMs, overtakenMs })
      } else if (now.state === 'active' && now.heartbeat !== lost.job.heartbeat) {
        waiting.set(id, { job: now, sinceMs: nowMs })
      }
    }
  }
  const watching = keepDoing(async () => {
    await look().catch(() => {}) // the database may be down
    await sleep(100)
  })
  return {
    freedMs,
    queued,
    overtaken,
    /** Records the jobs that run when a worker is killed. */
    async recordKill() {
      // After a restart of PostgreSQL, the first statements may fail.
      const jobs = await pollUntil(() => listJobs().catch(() => undefined), 30_000)
      if (jobs === undefined) throw new Error('the jobs could not be read for 30 s')
      const sinceMs = performance.now()
      for (const job of jobs) {
        if (job.state === 'active' && !waiting.has(job.id)) waiting.set(job.id, { job, sinceMs })
      }
    },
    stop: watching.stop,
  }
}
