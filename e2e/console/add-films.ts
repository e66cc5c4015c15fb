import pg from 'pg'
import type { Station } from './station.ts'

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
  { client, login, databaseOwnerUrl }: Pick<Station, 'client' | 'login' | 'databaseOwnerUrl'>,
  films: readonly Film[],
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const { title, minutes, seriesId, episode, genre, status = 'READY' } of films) {
    const { video_id } = await client.createVideo({
      body: {
        title,
        duration: minutes * 60,
        status,
        ...(genre === undefined ? {} : { genres: [{ genre, sub_genre: '' }] }),
        ...(seriesId === undefined
          ? {}
          : { series_id: seriesId, season_number: 1, episode_number: episode ?? null }),
      },
    })
    ids.push(video_id)
  }
  const owner = new pg.Client({ connectionString: databaseOwnerUrl })
  await owner.connect()
  try {
    await owner.query(
      `insert into assets (account_id, asset_id, video_id, made_from, state, frame_rate, segment_ms, package_path,
                           duration_ticks, segment_count, created_ms, updated_ms)
       select v.account_id, v.video_id, v.video_id, 'https://partner.example/a.mp4', 'READY', 30, 3200, 'assets/none',
              v.duration * 90000::bigint, v.duration * 10 / 32, 0, 0
         from videos v join accounts a using (account_id) where a.name = $1 and v.video_id = any($2::uuid[])`,
      [login.account_name, ids],
    )
  } finally {
    await owner.end()
  }
  return ids
}
