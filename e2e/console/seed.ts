import type { Client } from '@continuity/client'
import { openSql } from '@continuity/dev/sql'
import type { Office } from './systems.ts'

/** What no request can make at once: packaged films, an as-run record, an audience. It is written to the database. */
type Seeded = Pick<Office, 'client' | 'databaseOwnerUrl'>

const accountOf = async (client: Client) => (await client.getAccount()).account_id

export interface Film {
  readonly title: string
  readonly minutes: number
  readonly seriesId?: string
  readonly episode?: number
  readonly genre?: string
  /** READY where it is left out. */
  readonly status?: 'DRAFT' | 'DISABLED'
}

/** Videos of the catalog that count as packaged, without files: they can be scheduled, and not be played. */
export async function addFilms(
  { client, databaseOwnerUrl }: Seeded,
  films: readonly Film[],
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const { title, minutes, seriesId, episode, genre, status = 'READY' } of films) {
    const { video_id } = await client.createVideo({
      body: {
        title,
        duration: minutes * 60,
        status,
        ...(genre !== undefined && { genres: [{ genre, sub_genre: '' }] }),
        ...(seriesId !== undefined && {
          series_id: seriesId,
          season_number: 1,
          episode_number: episode ?? null,
        }),
      },
    })
    ids.push(video_id)
  }
  const sql = openSql(databaseOwnerUrl)
  await sql.query(
    `insert into assets (account_id, asset_id, video_id, made_from, state, frame_rate, segment_ms, package_path,
                         duration_ticks, segment_count, created_ms, updated_ms)
     select account_id, video_id, video_id, 'https://partner.example/a.mp4', 'READY', 30, 3200, 'assets/none',
            duration * 90000::bigint, duration * 10 / 32, 0, 0
       from videos where account_id = $1 and video_id = any($2::uuid[])`,
    [await accountOf(client), ids],
  )
  await sql.close()
  return ids
}

const TICKS_PER_MS = 90

interface AiredVideo {
  readonly channelId: string
  readonly videoId: string
  readonly program: string
  readonly startMs: number
  readonly seconds: number
}

/** Puts a video into the as-run record, in two parts with an ad break of a minute between them. */
export async function addAired(
  { client, databaseOwnerUrl }: Seeded,
  { channelId, videoId, program, startMs, seconds }: AiredVideo,
): Promise<void> {
  const half = (seconds * 1_000) / 2
  const parts = [
    { type: 'VIDEO', ms: half, id: videoId },
    { type: 'AD_POD', ms: 60_000, id: null },
    { type: 'VIDEO', ms: half, id: videoId },
  ]
  const id = crypto.randomUUID()
  const endMs = startMs + parts.reduce((sum, { ms }) => sum + ms, 0)
  const shown = JSON.stringify({ id, title: program, description: '', startMs, endMs })
  const account = await accountOf(client)
  const sql = openSql(databaseOwnerUrl)
  let atMs = startMs
  for (const [component, { type, ms, id: reference }] of parts.entries()) {
    const [start, end] = [atMs * TICKS_PER_MS, (atMs + ms) * TICKS_PER_MS]
    await sql.query(
      `insert into as_run_entries (account_id, linear_channel_id, start_ticks, end_ticks, segments, program_id, program,
                                   component, type, reference_id, title)
       values ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, '')`,
      [account, channelId, start, end, id, shown, component, type, reference],
    )
    atMs += ms
  }
  await sql.close()
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

interface AudienceOptions extends Seeded {
  readonly channelIds: readonly string[]
  readonly days: number
  readonly nowMs: number
}

/** Puts viewers of the last days into the sums, as workers would have counted them: more in the evening than at night. */
export async function addAudience(options: AudienceOptions): Promise<void> {
  const { client, databaseOwnerUrl, channelIds, days, nowMs } = options
  const videos: string[] = []
  for (const title of ['The Tide Table', 'Night Ferry', 'Lighthouse Keepers']) {
    videos.push((await client.createVideo({ body: { title, duration: 1_440 } })).video_id)
  }
  const lastMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - HOUR_MS
  const firstMs = Math.floor(nowMs / DAY_MS) * DAY_MS - (days - 1) * DAY_MS
  const account = await accountOf(client)
  const sql = openSql(databaseOwnerUrl)
  for (let ms = firstMs; ms <= nowMs; ms += DAY_MS) {
    await sql.query('select make_audience_day($1)', [ms / DAY_MS])
  }
  await sql.query(
    `insert into audience_hours (account_id, hour_ms, linear_channel_id, distributor, country, span_ticks, type, program_id,
       component, reference_id, cmcd_v2_ms, cmcd_v1_ms, heartbeat_ms, starts)
     select $1::uuid, hour_ms, channel, distributor, country, row_number() over (), type, null, 0,
            case when type in ('VIDEO', 'INTERSTITIAL') then ($5::uuid[])[1 + (hour_ms / 3600000) % 3] end,
            case when type = 'VIDEO' then 6 else 1 end * weight * evening * 137000, 0,
            case when type = 'VIDEO' then 6 else 1 end * weight * evening * 21000, weight * evening
       from generate_series($2::bigint, $3::bigint, 3600000) as hour_ms,
            unnest($4::uuid[]) with ordinality as channels(channel, channel_place),
            (values ('direct', 3), ('harbourtv', 2), ('rivercable', 1)) as distributors(distributor, share),
            unnest(array['DE', 'FR', 'GB', 'ZZ']) with ordinality as countries(country, country_place),
            unnest(array['VIDEO', 'AD_POD', 'INTERSTITIAL']) as types(type),
            lateral (select share * (6 - country_place) / channel_place as weight,
                            1 + round(8 * (1 + sin((hour_ms / 3600000 % 24 - 14) * pi() / 12)))::bigint as evening) as sizes`,
    [account, firstMs, lastMs, channelIds, videos],
  )
  await sql.close()
}
