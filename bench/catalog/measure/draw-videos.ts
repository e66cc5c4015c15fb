import { seededRandom } from '@continuity/dev/seeded-random'
import pg from 'pg'
import { BIG_ACCOUNT } from '../load/accounts.ts'
import type { PageStart } from './pages.ts'

/** Random videos of the big account. */
export async function drawVideos(ownerUrl: string, videos: number, count: number): Promise<PageStart[]> {
  const random = seededRandom(count)
  return findVideos(
    ownerUrl,
    Array.from({ length: count }, () => Math.floor(random() * videos)),
  )
}

/** Videos by their indexes in the order of date_published, in the given order. */
export async function findVideos(ownerUrl: string, indexes: readonly number[]): Promise<PageStart[]> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const { rows } = await owner.query<{ published_ms: string; video_id: string }>(
    `select (extract(epoch from date_published) * 1000)::bigint as published_ms, video_id
       from unnest($2::integer[]) with ordinality as place(n, i)
       join bench_plain p on p.account_id = $1 and p.n = place.n order by i`,
    [BIG_ACCOUNT, indexes],
  )
  await owner.end()
  return rows.map(({ published_ms, video_id }) => ({ published_ms: Number(published_ms), video_id }))
}
