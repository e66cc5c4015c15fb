import type pg from 'pg'
import { BIG_ACCOUNT } from './accounts.ts'

export const MEDIA_ADDRESS = 'https://media.example'

/** The fields of the record, each in a column of its own type. */
const columns = {
  video_id: 'uuid',
  source_id: 'text',
  video_source_id: 'text',
  brand_id: 'text',
  channel_id: 'uuid',
  channel_ids: 'uuid[]',
  series_id: 'uuid',
  season_number: 'integer',
  episode_number: 'integer',
  title: 'text',
  description: 'text',
  keywords: 'text[]',
  genres: 'jsonb',
  audio_language: 'text',
  country_origin: 'text',
  content_format: 'text',
  content_type: 'text',
  cut: 'text',
  periodicity: 'text',
  parental_rating: 'text',
  duration: 'integer',
  date_published: 'timestamptz',
  date_available: 'timestamptz',
  date_expired: 'timestamptz',
  date_created: 'timestamptz',
  last_updated: 'timestamptz',
  status: 'text',
  images: 'jsonb',
} as const

const fields = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
export const plainColumns = [...Object.keys(columns), 'media_type', 'media_url'].join(', ')

/**
 * The big account's videos as a plain table, for the bare engine.
 *
 * `n` is the video's index in the order of date_published: pgbench draws random numbers, not ids.
 */
export async function makePlainTable(owner: pg.Client): Promise<void> {
  await owner.query(`
    create table bench_plain (
      n integer not null, account_id uuid not null, ${fields.join(', ')}, media_type text, media_url text
    );
    insert into bench_plain
    select substr(v.video_source_id, 3)::integer, v.account_id, r.*,
           'mp4', replace(v.mp4_path, chr(1), '${MEDIA_ADDRESS}')
      from videos v cross join lateral
           jsonb_to_record((replace(v.document, chr(1), '${MEDIA_ADDRESS}') || '}')::jsonb) as r(${fields.join(', ')})
     where v.account_id = '${BIG_ACCOUNT}';
    create index bench_plain_by_published on bench_plain (account_id, date_published desc, video_id desc);
    create unique index bench_plain_by_n on bench_plain (account_id, n);`)
}
