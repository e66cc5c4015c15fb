import type { Client } from '@continuity/client'
import pg from 'pg'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const distributors = [
  { name: 'direct', share: 3 },
  { name: 'harbourtv', share: 2 },
  { name: 'rivercable', share: 1 },
] as const
const countries = ['DE', 'FR', 'GB', 'ZZ'] as const
const titles = ['The Tide Table', 'Night Ferry', 'Lighthouse Keepers'] as const

interface AudienceOptions {
  readonly client: Client
  readonly databaseOwnerUrl: string
  readonly channelIds: readonly string[]
  readonly days: number
  readonly nowMs: number
}

/** Puts viewers of the last days into the sums, as workers would have counted them: more in the evening than at night. */
export async function addAudience({
  client,
  databaseOwnerUrl,
  channelIds,
  days,
  nowMs,
}: AudienceOptions): Promise<void> {
  const { account_id } = await client.getAccount()
  const videos: string[] = []
  for (const title of titles) {
    const { video_id } = await client.createVideo({ body: { title, duration: 1_440 } })
    videos.push(video_id)
  }
  const lastMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - HOUR_MS
  const firstMs = Math.floor(nowMs / DAY_MS) * DAY_MS - (days - 1) * DAY_MS
  const owner = new pg.Client({ connectionString: databaseOwnerUrl })
  await owner.connect()
  try {
    for (let ms = firstMs; ms <= nowMs; ms += DAY_MS) {
      await owner.query('select make_audience_day($1)', [ms / DAY_MS])
    }
    await owner.query(
      `insert into audience_hours (account_id, hour_ms, linear_channel_id, distributor, country, span_ticks, type, program_id,
         component, reference_id, cmcd_v2_ms, cmcd_v1_ms, heartbeat_ms, starts)
       select $1::uuid, hour_ms, channel, distributor, country, row_number() over (), type, null, 0,
              case when type in ('VIDEO', 'INTERSTITIAL') then ($7::uuid[])[1 + (hour_ms / 3600000) % 3] end,
              case when type = 'VIDEO' then 6 else 1 end * weight * evening * 137000, 0,
              case when type = 'VIDEO' then 6 else 1 end * weight * evening * 21000, weight * evening
         from generate_series($2::bigint, $3::bigint, 3600000) as hour_ms,
              unnest($4::uuid[]) with ordinality as channels(channel, channel_place),
              unnest($5::text[], $6::bigint[]) as distributors(distributor, share),
              unnest($8::text[]) with ordinality as countries(country, country_place),
              unnest(array['VIDEO', 'AD_POD', 'INTERSTITIAL']) as types(type),
              lateral (select share * (6 - country_place) / channel_place as weight,
                              1 + round(8 * (1 + sin((hour_ms / 3600000 % 24 - 14) * pi() / 12)))::bigint as evening) as sizes`,
      [
        account_id,
        firstMs,
        lastMs,
        channelIds,
        distributors.map(({ name }) => name),
        distributors.map(({ share }) => share),
        videos,
        countries,
      ],
    )
  } finally {
    await owner.end()
  }
}
