import { noLive } from '@continuity/core/timeline/discontinuity'
import { createDraw, type Draw } from '@continuity/dev/draw'
import { startTestPostgres, withDatabase } from '@continuity/dev/test-postgres'
import { createPlaylistValidator } from '@continuity/playlist-validator'
import pg from 'pg'
import { aPlanApi, type Hit, planOf } from '../../packages/server/src/modules/plans/testing/a-plan-api.ts'
import type { ScheduleAccount } from '../../packages/server/src/modules/schedule/testing/a-schedule-api.ts'
import { openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { unpackGuide } from '../../packages/server/src/platform/feed/guide-codec.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { createInProcessNode } from '../in-process-node.ts'
import { type Aired, type Announced, checkAired, type RecordedEntry } from './check-aired.ts'
import { compareGuide } from './compare-guide.ts'
import { createEditor, type EditKind } from './edits.ts'
import { drawRules, makeLibrary } from './library.ts'
import { listSegments } from './listed-segments.ts'

export type RunStatement = (text: string, values: readonly unknown[]) => Promise<readonly object[]>

export interface PlanPlayed {
  readonly edits: Readonly<Record<string, number>>
  readonly playlists: number
  readonly withoutPlaylist: number
  readonly segments: number
  readonly changedSegments: readonly string[]
  readonly violations: readonly string[]
  readonly guidePrograms: number
  readonly guideFaults: readonly string[]
  readonly aired: ReturnType<typeof checkAired>
  readonly openAlerts: readonly string[]
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const WINDOW_MS = 60_000
const RUNG = '360p'

/** The longest time without an edit or a job. */
const STEP_MS = 40 * MINUTE_MS

export async function playPlan(seed: number, days: number, log: (line: string) => void): Promise<PlanPlayed> {
  const draw = createDraw(seed)
  await using server = await startTestPostgres()
  const name = new URL(server.templateUrl).pathname.slice(1)
  const { logger } = createLog({ level: 'silent', process: 'prove', instance: 'prove' })
  const serviceUrl = withDatabase(server.serviceUrl, name)
  const database = openDatabase(serviceUrl, { connections: 4, logger, patience: 8 })
  const owner = new pg.Client({ connectionString: server.templateUrl })
  await owner.connect()
  const run: RunStatement = async (text, values) => (await owner.query(text, [...values])).rows
  const ends: (() => Promise<void>)[] = [() => database.close(), () => owner.end()]
  try {
    const after = (work: () => Promise<void>) => ends.unshift(work)
    const system = await aPlanApi({ database, serviceUrl, ownerUrl: server.templateUrl, after })
    after(() => system.planner.close())
    return await play(system, await system.anAccount(), { draw, run, days, log })
  } finally {
    for (const end of ends) await end()
  }
}

async function play(
  system: Awaited<ReturnType<typeof aPlanApi>>,
  account: ScheduleAccount,
  {
    draw,
    run,
    days,
    log,
  }: { readonly draw: Draw; readonly run: RunStatement; readonly days: number; log(line: string): void },
): Promise<PlanPlayed> {
  const { api, feed } = system
  const { admin, channelId, accountId } = account
  const library = await makeLibrary(system, account, draw, run)
  const channel = `/api/2.3/linear_channels/${channelId}`
  const output = { distributor: 'viewer', window_ms: WINDOW_MS, markers: 'BOTH', break_policy: 'ACTUAL' }
  requireStatus(await admin.post(`${channel}/outputs`, output), 201)
  requireStatus(await admin.put(planOf(account), drawRules(draw, library)), 200)
  const announced = new Map<string, Announced>()
  await system.plan()
  // The first program begins at once.
  announce(announced, await system.programs(account, api.nowMs, (3 * HOUR_MS) / DAY_MS), api.nowMs - 1)
  requireStatus(await admin.put(`${channel}/start`), 200)

  const node = createInProcessNode(account, api, noLive)
  let applied = 0
  let guides = 0
  /** All jobs that are due, and what nodes receive of it; edits are planned within two seconds, guides ten after. */
  const work = async () => {
    for (const waitMs of [0, 3_000, 9_000]) {
      api.nowMs += waitMs
      await system.plan()
      await system.sweep()
      for (; applied < feed.updates.length; applied += 1) node.apply(feed.updates[applied]!)
    }
    if (feed.guides.length > guides) node.setPlanned(await unpackGuide(feed.guides.at(-1)!.bytes))
    guides = feed.guides.length
  }
  await work()

  const editor = createEditor(system, account, draw, library, run)
  const edits: Partial<Record<EditKind, number>> = {}
  const originOf = new Map<string, Hit['origin']>()
  const validator = createPlaylistValidator({
    profile: 'house',
    targetDuration: 5,
    maxWindowMs: WINDOW_MS,
    markers: 'BOTH',
    breakPolicy: 'ACTUAL',
  })
  const listed = listSegments()
  const guideFaults: string[] = []
  let guidePrograms = 0
  let playlists = 0
  let withoutPlaylist = 0
  const endMs = api.nowMs + days * DAY_MS
  let upcoming: readonly Hit[] = []
  for (let steps = 0; api.nowMs < endMs; steps += 1) {
    if (draw.chance(0.4)) {
      const kind = await editor.edit(upcoming)
      if (kind !== undefined) edits[kind] = (edits[kind] ?? 0) + 1
    }
    await work()
    const isWhole = draw.chance(0.1)
    const hits = await system.programs(account, api.nowMs, (isWhole ? 7 * DAY_MS : 3 * HOUR_MS) / DAY_MS)
    upcoming = hits.filter(({ start_time }) => Date.parse(start_time) > api.nowMs)
    announce(announced, hits, api.nowMs)
    for (const { program_id, origin } of hits) originOf.set(program_id, origin)
    if (isWhole) {
      const guide = await node.get('viewer', 'epg.json')
      const { faults, compared } = compareGuide(guide, upcoming, api.nowMs, api.nowMs + 7 * DAY_MS)
      guideFaults.push(...faults)
      guidePrograms += compared
    }
    const untilMs = api.nowMs + MINUTE_MS + draw.below(STEP_MS)
    while (api.nowMs < untilMs) {
      const text = await node.get('viewer', `${RUNG}.m3u8`)
      playlists += 1
      if (text.startsWith('#EXTM3U')) {
        validator.checkMedia({ atMs: api.nowMs, rendition: RUNG, text })
        listed.add(text)
      } else withoutPlaylist += 1
      api.nowMs += 500 + draw.below(10_000)
    }
    node.sweep()
    if (steps % 50 === 0)
      log(
        `${new Date(api.nowMs).toISOString()}: ${playlists} playlists, ${validator.count()} violations, ${guideFaults.length} faults of guides`,
      )
  }
  await work()
  const aired = checkAired({ ...(await readAired(run, accountId)), announced, originOf, listed })
  for (const [kind, list] of Object.entries(aired.faults))
    for (const fault of list.slice(0, 10)) log(`${kind}: ${fault}`)
  for (const fault of guideFaults.slice(0, 10)) log(`guide: ${fault}`)
  return {
    edits,
    playlists,
    withoutPlaylist,
    segments: listed.count(),
    changedSegments: listed.changed,
    violations: validator.violations.map(({ rule, atMs, detail }) => `${rule} at ${atMs}: ${detail}`),
    guidePrograms,
    guideFaults,
    aired,
    openAlerts: (
      await run('select code from alerts where account_id = $1 and closed_ms is null', [accountId])
    ).map((row) => (row as { code: string }).code),
  }
}

/** What is on the air may end earlier than announced, where an operator has placed another program after it. */
function announce(announced: Map<string, Announced>, hits: readonly Hit[], nowMs: number): void {
  for (const [id, { startMs }] of announced) if (startMs > nowMs) announced.delete(id)
  for (const { program_id, title, start_time, end_time } of hits) {
    const before = announced.get(program_id)
    const startMs = Date.parse(start_time)
    if (startMs <= nowMs && before === undefined) continue
    announced.set(program_id, { title, startMs: before?.startMs ?? startMs, endMs: Date.parse(end_time!) })
  }
}

async function readAired(
  run: RunStatement,
  accountId: string,
): Promise<Pick<Aired, 'entries' | 'videoOfAsset'>> {
  const entries = await run(
    `select start_ticks / 90 as start, end_ticks / 90 as "end", segments, program_id as program, type,
            reference_id as video, break_sequence as break
       from as_run_entries where account_id = $1 order by start_ticks`,
    [accountId],
  )
  const assets = await run('select asset_id as asset, video_id as video from assets where account_id = $1', [
    accountId,
  ])
  return {
    entries: (entries as EntryRow[]).map(
      (row): RecordedEntry => ({
        startMs: Number(row.start),
        endMs: Number(row.end),
        segments: row.segments,
        programId: row.program,
        type: row.type,
        videoId: row.video,
        breakSequence: row.break === null ? null : Number(row.break),
      }),
    ),
    videoOfAsset: new Map(
      (assets as { asset: string; video: string }[]).map(({ asset, video }) => [asset, video]),
    ),
  }
}

interface EntryRow {
  readonly start: string
  readonly end: string
  readonly segments: number
  readonly program: string | null
  readonly type: string
  readonly video: string | null
  readonly break: string | null
}

function requireStatus(answer: { readonly statusCode: number; readonly body: string }, status: number): void {
  if (answer.statusCode !== status) throw new Error(`${answer.statusCode}: ${answer.body}`)
}
