import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { createDraw } from '@continuity/dev/draw'
import { createPlaylistValidator } from '@continuity/playlist-validator'
import { sql } from 'kysely'
import { unpackGuide } from '../../platform/feed/guide-codec.ts'
import { aReleasedDatabase } from '../../platform/testing/a-database.ts'
import { createInProcessNode } from '../playout/testing/an-in-process-node.ts'
import type { ScheduleAccount } from '../schedule/testing/a-schedule-api.ts'
import { createEditor, drawRules, editKinds, makeLibrary } from './testing/a-library.ts'
import { aPlanApi, type Hit, planOf } from './testing/a-plan-api.ts'
import {
  type Announced,
  checkAired,
  compareGuide,
  listSegments,
  type RecordedEntry,
} from './testing/check-aired.ts'

/** A month that has the clock change of March; fewer days for a try. */
const DAYS = Number(process.env['DAYS'] ?? 30)
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const WINDOW_MS = 60_000
const RUNG = '360p'

/** How far ahead the schedule is read at every step, and at some. */
const SOON_DAYS = 3 / 24
const WEEK_DAYS = 7

/** The longest time without an edit or a job. */
const STEP_MS = 40 * MINUTE_MS

const system = await aPlanApi({ ...(await aReleasedDatabase()), after })

/**
 * The modules of the control room on a real database, and a playout node in this process, through a month of a driven clock,
 * while people change rules, place, move and cancel programs, delete videos and add new ones.
 */
test(`a channel that plays by its rules for ${DAYS} days airs what was announced, seed ${SEED}`, async (t) => {
  const { api, feed } = system
  const account = await system.anAccount()
  const { admin, channelId } = account
  const draw = createDraw(SEED)
  const library = await makeLibrary(system, account, draw)
  const channel = `/api/2.3/linear_channels/${channelId}`
  const settings = { windowMs: WINDOW_MS, markers: 'BOTH', breakPolicy: 'ACTUAL' } as const
  const output = { distributor: 'viewer', window_ms: WINDOW_MS, markers: 'BOTH', break_policy: 'ACTUAL' }
  requireStatus(await admin.post(`${channel}/outputs`, output), 201)
  requireStatus(await admin.put(planOf(account), drawRules(draw, library)), 200)
  const announced = new Map<string, Announced>()
  await system.plan()
  // The first program begins at once.
  announce(announced, await system.programs(account, api.nowMs, SOON_DAYS), api.nowMs - 1)
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

  const editor = createEditor(system, account, draw, library)
  const edits = new Map<string, number>()
  const originOf = new Map<string, Hit['origin']>()
  const { windowMs: maxWindowMs, ...marking } = settings
  const validator = createPlaylistValidator({ profile: 'house', targetDuration: 5, maxWindowMs, ...marking })
  const listed = listSegments()
  const guideFaults: string[] = []
  const withoutPlaylist: string[] = []
  let [comparedPrograms, playlists] = [0, 0]
  const endMs = api.nowMs + DAYS * DAY_MS
  let upcoming: readonly Hit[] = []
  while (api.nowMs < endMs) {
    if (draw.chance(0.4)) {
      const kind = await editor.edit(upcoming)
      if (kind !== undefined) edits.set(kind, (edits.get(kind) ?? 0) + 1)
    }
    await work()
    const isWhole = draw.chance(0.1)
    const hits = await system.programs(account, api.nowMs, isWhole ? WEEK_DAYS : SOON_DAYS)
    upcoming = hits.filter(({ start_time }) => Date.parse(start_time) > api.nowMs)
    announce(announced, hits, api.nowMs)
    for (const { program_id, origin } of hits) originOf.set(program_id, origin)
    if (isWhole) {
      const guide = await node.get('viewer', 'epg.json')
      const toMs = api.nowMs + WEEK_DAYS * DAY_MS
      const { faults, compared } = compareGuide(guide, upcoming, api.nowMs, toMs)
      guideFaults.push(...faults)
      comparedPrograms += compared
    }
    const untilMs = api.nowMs + MINUTE_MS + draw.below(STEP_MS)
    while (api.nowMs < untilMs) {
      const text = await node.get('viewer', `${RUNG}.m3u8`)
      playlists += 1
      if (text.startsWith('#EXTM3U')) {
        validator.checkMedia({ atMs: api.nowMs, rendition: RUNG, text })
        listed.add(text)
      } else withoutPlaylist.push(`${new Date(api.nowMs).toISOString()}: ${text}`)
      api.nowMs += 500 + draw.below(10_000)
    }
    node.sweep()
  }
  await work()
  const { counts, faults } = checkAired({ ...(await readAired(account)), announced, originOf, listed })
  const found = { edits: Object.fromEntries(edits), playlists, comparedPrograms, ...counts }
  t.diagnostic(JSON.stringify(found))

  const none = (what: string, list: readonly unknown[]) => assert.deepEqual(list.slice(0, 10), [], what)
  none('times without a playlist', withoutPlaylist)
  none('violations of playlists', validator.violations)
  none('segments that changed', listed.changed)
  none('segments of another video than the record has', faults.segments)
  none('gaps in the record', faults.gaps)
  none('programs unlike announced', faults.unlike)
  none('differences between guide and schedule', guideFaults)
  none('breaks against the policy', faults.breaks)
  none('repeats within the separation', faults.repeats)
  // About half of what was measured.
  const least = (what: string, count: number, ofEachDay: number) =>
    assert.ok(count >= ofEachDay * DAYS, `${what}: ${count}`)
  const sumOfEdits = edits.values().reduce((sum, count) => sum + count, 0)
  least('edits', sumOfEdits, 8)
  assert.ok(edits.size >= (DAYS < 5 ? 3 : editKinds.length), 'every kind of edit')
  least('playlists', playlists, 12_000)
  least('segments listed', listed.count(), 24_000)
  least('segments compared with the record', counts.comparedSegments, 12_000)
  least('programs aired', counts.programs, 12)
  least('minutes of programs', counts.programMinutes, 14 * 60)
  least('programs compared with guides', comparedPrograms, 100)
  least('breaks aired', counts.breaks, 10)
  least('videos aired again', counts.repeatedVideos, DAYS < 5 ? 0 : 5)
})

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

async function readAired({ db }: ScheduleAccount) {
  const entries = await sql<RecordedEntry>`
    select start_ticks / 90 as "startMs", end_ticks / 90 as "endMs", segments, program_id as "programId", type,
           reference_id as "videoId", break_sequence as "breakSequence"
      from as_run_entries order by start_ticks`.execute(db)
  const assets = await sql<{ asset: string; video: string }>`
    select asset_id as asset, video_id as video from assets`.execute(db)
  const videoOfAsset = new Map(assets.rows.map(({ asset, video }) => [asset, video]))
  return { entries: entries.rows, videoOfAsset }
}

function requireStatus(answer: { readonly statusCode: number; readonly body: string }, status: number): void {
  assert.equal(answer.statusCode, status, answer.body)
}
