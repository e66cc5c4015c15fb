import type { Child } from '@continuity/dev/child-process'
import { sql } from 'kysely'
import { median, quantile, round } from '../../tools/figures/figures.ts'
import { type IngestBody, type IngestSystem, startIngestSystem } from '../ingest/ingest-system.ts'
import { proof } from '../proofs/proof.ts'

const ITEMS = 1_000

interface AcceptSize {
  readonly calls: number
  readonly kills: number
  /** Latency is only judged on an idle machine: other tests run beside the small size. */
  readonly isTimed: boolean
}

export const ingestAccept = proof<AcceptSize>({
  name: 'ingest-accept',
  title: 'Accepted programs survive a crash',
  promise:
    'A program of 1,000 items, 0.7 MB, is accepted by an API process in under 250 ms at the 95th percentile, one call ' +
    'after the other. A program that was answered with 202 is stored with all of its items and one job, even if the ' +
    'process that answered is killed (SIGKILL) as soon as the response has arrived.',
  watches: [
    'packages/server/src/modules/ingest/accept-request.ts',
    'packages/server/src/modules/ingest/item-store.ts',
    'packages/server/src/modules/ingest/request-store.ts',
    'packages/server/src/modules/ingest/routes.ts',
    'packages/server/src/modules/ingest/wire.ts',
    'packages/server/src/http',
    'packages/server/src/platform/database',
    'packages/server/src/platform/jobs/enqueue.ts',
    'e2e/ingest-accept',
    'e2e/ingest/ingest-system.ts',
  ],
  sabotage: {
    title: 'a program is answered with 202 a second before its transaction is committed',
    changes: [
      {
        file: 'packages/server/src/modules/ingest/routes.ts',
        from: `scheduleProgram: changing(async (tx, { body }, actor) => ({
      request_id: await acceptRequest(tx, actor, readRequest(body)),
      message: 'The schedule is queued for processing.',
    })),`,
        to: `scheduleProgram: (call) =>
      new Promise((resolve, reject) => {
        changing(async (tx, { body }, actor) => {
          const request_id = await acceptRequest(tx, actor, readRequest(body))
          const answer = { request_id, message: 'The schedule is queued for processing.' }
          resolve(answer)
          await new Promise((done) => setTimeout(done, 1_000))
          return answer
        })(call).catch(reject)
      }),`,
      },
    ],
    missed: ['requests_lost'],
  },
  sizes: {
    small: { calls: 3, kills: 3, isTimed: false },
    full: { calls: 100, kills: 100, isTimed: true },
  },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const system = await startIngestSystem(opened, { allow: [] })
    const timed = await timeCalls(system, size.calls)
    const { tookMs } = timed
    log(`${tookMs.length} calls, median ${round(median(tookMs), 0)} ms`)
    const killed = await killAfterAnswer(system, size, log)
    const requestIds = [...timed.requestIds, ...killed.requestIds]
    const lost: string[] = []
    for (const requestId of requestIds) {
      const fault = await findLoss(system, requestId)
      if (fault !== undefined) lost.push(`request ${requestId}: ${fault}`)
    }
    for (const line of lost.slice(0, 10)) log(line)
    const bodyBytes = JSON.stringify(aLongProgram(system.channelId, 0)).length
    return {
      figures: {
        items: ITEMS,
        body_bytes: bodyBytes,
        calls_timed: tookMs.length,
        accept_median_ms: round(median(tookMs), 1),
        accept_p95_ms: round(quantile(tookMs, 0.95), 1),
        answers_followed_by_a_kill: killed.requestIds.length,
        processes_ended_by_the_kill: killed.struck,
        requests_found_whole: requestIds.length - lost.length,
        requests_lost: lost.length,
      },
      targets: {
        calls_timed: { is: size.calls },
        ...(size.isTimed ? { accept_p95_ms: { atMost: 250 } } : {}),
        answers_followed_by_a_kill: { is: size.kills },
        processes_ended_by_the_kill: { is: size.kills },
        requests_found_whole: { atLeast: size.calls + 1 + size.kills },
        requests_lost: { is: 0 },
      },
    }
  },
})

async function timeCalls(
  system: IngestSystem,
  calls: number,
): Promise<{ readonly tookMs: number[]; readonly requestIds: string[] }> {
  const tookMs: number[] = []
  const requestIds: string[] = []
  // The first call is not timed: statements are not prepared and code is not compiled yet.
  for (let i = 0; i <= calls; i += 1) {
    const body = aLongProgram(system.channelId, i)
    const startMs = performance.now()
    requestIds.push(await system.submit(body))
    if (i > 0) tookMs.push(performance.now() - startMs)
  }
  return { tookMs, requestIds }
}

async function killAfterAnswer(
  system: IngestSystem,
  { calls, kills }: { readonly calls: number; readonly kills: number },
  log: (line: string) => void,
): Promise<{ readonly struck: number; readonly requestIds: readonly string[] }> {
  const requestIds: string[] = []
  let struck = 0
  for (let i = 0; i < kills; i += 1) {
    const { child, url } = await system.startApi()
    requestIds.push(await answerThenKill(system, child, url, aLongProgram(system.channelId, calls + 1 + i)))
    if ((await child.exited) === 'ended by SIGKILL') struck += 1
    if (i % 10 === 9) log(`${i + 1} API processes killed`)
  }
  return { struck, requestIds }
}

async function answerThenKill(
  { headers }: IngestSystem,
  child: Child,
  url: string,
  body: IngestBody,
): Promise<string> {
  const answer = await fetch(`${url}/api/2.1/automation/schedule`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  process.kill(child.pid, 'SIGKILL')
  if (answer.status !== 202) throw new Error(`${answer.status}: ${text}`)
  return (JSON.parse(text) as { request_id: string }).request_id
}

/** Missing rows of an accepted request, or undefined. Read from the tables, bypassing the code that wrote them. */
async function findLoss({ database }: IngestSystem, requestId: string): Promise<string | undefined> {
  const { rows } = await sql<{ requests: number; items: number; jobs: number }>`
    select (select count(*) from ingest_requests where request_id = ${requestId}) as requests,
           (select count(*) from ingest_items where request_id = ${requestId}) as items,
           (select count(*) from pgboss.job
             where name = 'process_request' and data #>> '{data,request_id}' = ${requestId}) as jobs`.execute(
    database.platform,
  )
  const { requests, items, jobs } = rows[0]!
  const isWhole = requests === 1 && items === ITEMS && jobs === 1
  return isWhole ? undefined : `${requests} rows, ${items} of ${ITEMS} items, ${jobs} jobs`
}

/** A separate hour for each. */
function aLongProgram(channelId: string, slot: number): IngestBody {
  const startMs = Math.ceil(Date.now() / 86_400_000) * 86_400_000 + (slot + 24) * 3_600_000
  return {
    linear_channel_id: channelId,
    source_id: 'north-automation',
    brand_id: 'north',
    program_title: `Program ${slot}`,
    videos: Array.from({ length: ITEMS }, (_, i) => ({
      type: 'VIDEO' as const,
      video_source_id: `HN-${slot}-${i}`,
      title: `Harbour Nights ${slot}, part ${i}: the tide table and what became of it`,
      description: 'A ferry is late and no one knows why. '.repeat(8),
      keywords: 'harbour, ferry, tide',
      date_published: '2026-03-01T18:00:00Z',
      video_url: `https://partner.example/media/${slot}/HN-${i}.mxf`,
      image_url: `https://partner.example/media/${slot}/HN-${i}.jpg`,
      duration: 3,
      genres: [{ genre: 'Drama', sub_genre: 'Sea' }],
      audio_language: 'en',
    })),
    schedule: { start_time: new Date(startMs).toISOString(), duration_ms: 3_600_000 },
  }
}
