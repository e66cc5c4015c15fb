import { type Figures, round } from '@continuity/dev/figures'
import { startTestPostgres, withDatabase } from '@continuity/dev/test-postgres'
import pg from 'pg'
import { columnsOf } from '../../packages/server/src/modules/catalog/records/video-document.ts'
import { fillVideo } from '../../packages/server/src/modules/catalog/records/video-record.ts'
import { createPlanner } from '../../packages/server/src/modules/plans/index.ts'
import { storeRules } from '../../packages/server/src/modules/plans/plan-store.ts'
import { runPlanner } from '../../packages/server/src/modules/plans/run-planner.ts'
import { newId } from '../../packages/server/src/platform/crypto/ids.ts'
import { openDatabase, runTransaction } from '../../packages/server/src/platform/database/database.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { addAccounts } from '../../packages/server/src/platform/testing/an-account.ts'
import type { BenchContext } from '../bench.ts'

export interface HorizonSizes {
  readonly channels: number
  readonly videos: number
  readonly days: number
}

const NOW_MS = Date.parse('2026-03-01T00:00:00Z')
const EXTENSION_MS = 6 * 3_600_000
const EPISODES = 20

/**
 * One worker plans all channels of an account, and then extends the horizon of each by six hours, as it does four times a
 * day. Everything that the job does is included: reading the schedule and the catalog, planning, and writing.
 */
export async function measureHorizon(
  sizes: HorizonSizes,
  { log }: Pick<BenchContext, 'log'>,
): Promise<Figures> {
  await using server = await startTestPostgres()
  const owner = new pg.Client({ connectionString: server.templateUrl })
  await owner.connect()
  const accountId = newId(0)
  await addAccounts(server.templateUrl, { bench: accountId })
  const { logger } = createLog({ level: 'silent', process: 'bench', instance: 'bench' })
  const serviceUrl = withDatabase(server.serviceUrl, new URL(server.templateUrl).pathname.slice(1))
  const database = openDatabase(serviceUrl, { connections: 2, logger, patience: 8 })
  const planner = createPlanner()
  try {
    await loadCatalog(owner, accountId, sizes.videos)
    const channelIds = await loadChannels(owner, accountId, sizes.channels)
    await owner.query('analyze')
    const db = database.forAccount(accountId)
    const rules = rulesOf(sizes.days)
    for (const channelId of channelIds)
      await runTransaction(db, (tx) => {
        const change = { seed: 1, fromMs: NOW_MS, nowMs: NOW_MS, userId: null }
        return storeRules(tx, { accountId, channelId }, rules, change)
      })
    const run = runPlanner(planner)
    const planAll = async (nowMs: number) => {
      const startedMs = performance.now()
      for (const channelId of channelIds)
        await run({
          data: { linear_channel_id: channelId },
          accountId,
          db,
          nowMs,
          finish: (effect) => runTransaction(db, (tx) => effect(tx, nowMs)),
        })
      return performance.now() - startedMs
    }
    const firstMs = await planAll(NOW_MS)
    const planned = await countPrograms(owner)
    log(`${planned} programs in ${Math.round(firstMs)} ms`)
    const extendedMs = await planAll(NOW_MS + EXTENSION_MS)
    const added = (await countPrograms(owner)) - planned
    log(`${added} more in ${Math.round(extendedMs)} ms`)
    return {
      channels: sizes.channels,
      videos: sizes.videos,
      programs_of_a_channel: round(planned / sizes.channels, 0),
      programs_added_to_a_channel: round(added / sizes.channels, 1),
      first_plan_ms: round(firstMs / sizes.channels, 1),
      extension_ms: round(extendedMs / sizes.channels, 1),
      minutes_for_10000_channels: round((extendedMs / sizes.channels / 60_000) * 10_000, 1),
    }
  } finally {
    await planner.close()
    await database.close()
    await owner.end()
  }
}

/** A strip in the evening, a marathon at the weekend, films in between, with breaks. */
const rulesOf = (days: number) => ({
  time_zone: 'Europe/Berlin',
  horizon_days: days,
  blocks: [
    {
      id: 'evening',
      days: ['MON', 'TUE', 'WED', 'THU', 'FRI'],
      times: [{ from: '20:00', to: '22:00' }],
      content: { series_ids: [seriesId(0), seriesId(1)] },
      order: 'NEXT_EPISODE',
    },
    {
      id: 'weekend',
      days: ['SAT', 'SUN'],
      times: [{ from: '14:00', to: '20:00' }],
      content: { series_ids: [seriesId(2)] },
      order: 'MARATHON',
      track: 'weekend',
    },
  ],
  default: { content: { filter: { exists: 'title' } }, order: 'SHUFFLE', track: 'films' },
  breaks: { at: 'BETWEEN', every_minutes: 20 },
  separation: [{ by: 'SERIES', minutes: 120 }],
})

const seriesId = (at: number) => `00000000-0000-7000-8001-${at.toString(16).padStart(12, '0')}`
const videoId = (at: number) => `00000000-0000-7000-8002-${at.toString(16).padStart(12, '0')}`

async function loadCatalog(owner: pg.Client, accountId: string, videos: number): Promise<void> {
  await owner.query(
    `insert into series (account_id, series_id, title, title_order, description, images, status, created_ms, updated_ms)
     select $1, ('00000000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid, 'Series ' || n, n, '', '[]', 'READY', 0, 0
       from generate_series(0, $2::int) n`,
    [accountId, Math.ceil(videos / EPISODES)],
  )
  const rows = Array.from({ length: videos }, (_, at) => ({ ...videoRow(at), account_id: accountId }))
  for (let at = 0; at < rows.length; at += 1_000)
    await owner.query('insert into videos select * from jsonb_populate_recordset(null::videos, $1::jsonb)', [
      JSON.stringify(rows.slice(at, at + 1_000)),
    ])
  await owner.query(
    `insert into assets (account_id, asset_id, video_id, made_from, state, frame_rate, segment_ms, package_path, duration_ticks,
                         segment_count, created_ms, updated_ms)
     select account_id, video_id, video_id, 'https://partner.example/a.mp4', 'READY', 30, 3200, 'assets/a', duration * 90000::bigint,
            duration * 10 / 32, 0, 0
       from videos where account_id = $1`,
    [accountId],
  )
}

function videoRow(at: number) {
  const {
    hlsPath: _hls,
    mp4Path: _mp4,
    ...fields
  } = fillVideo({
    title: `Video ${at}`,
    duration: 1_200 + (at % 40) * 60,
  })
  const date = new Date(0).toISOString()
  const record = {
    ...fields,
    video_id: videoId(at),
    series_id: seriesId(Math.floor(at / EPISODES)),
    season_number: 1,
    episode_number: (at % EPISODES) + 1,
    status: 'READY' as const,
    date_created: date,
    last_updated: date,
    channel_id: null,
    channel_ids: [],
  }
  return {
    ...columnsOf(record, { hlsPath: null, mp4Path: null }),
    video_id: record.video_id,
    video_source_id: `source-${at}`,
    version: 1,
    deleted_ms: null,
  }
}

async function loadChannels(
  owner: pg.Client,
  accountId: string,
  channels: number,
): Promise<readonly string[]> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into linear_channels (account_id, linear_channel_id, title, title_folded, description, internal_title, status,
                                  override_status, created_ms, updated_ms)
     select $1, ('00000000-0000-7000-8003-' || lpad(to_hex(n), 12, '0'))::uuid, 'Channel ' || n, n, '', '', 'OFFLINE', 'SCHEDULED', 0, 0
       from generate_series(0, $2::int - 1) n
     returning linear_channel_id as id`,
    [accountId, channels],
  )
  return rows.map(({ id }) => id)
}

async function countPrograms(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(
    'select count(*) from programs where removed_ms is null',
  )
  return Number(rows[0]!.count)
}
