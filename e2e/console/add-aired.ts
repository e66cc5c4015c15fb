import pg from 'pg'
import type { Office } from './office.ts'

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
  { client, databaseOwnerUrl }: Pick<Office, 'client' | 'databaseOwnerUrl'>,
  { channelId, videoId, program, startMs, seconds }: AiredVideo,
): Promise<void> {
  const { account_id } = await client.getAccount()
  const id = crypto.randomUUID()
  const half = (seconds * 1_000) / 2
  const parts = [
    { type: 'VIDEO', ms: half },
    { type: 'AD_POD', ms: 60_000 },
    { type: 'VIDEO', ms: half },
  ]
  const endMs = startMs + parts.reduce((sum, { ms }) => sum + ms, 0)
  const owner = new pg.Client({ connectionString: databaseOwnerUrl })
  await owner.connect()
  try {
    let atMs = startMs
    for (const [component, { type, ms }] of parts.entries()) {
      await owner.query(
        `insert into as_run_entries (account_id, linear_channel_id, start_ticks, end_ticks, segments, program_id, program,
                                     component, type, reference_id, title)
         values ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, '')`,
        [
          account_id,
          channelId,
          atMs * TICKS_PER_MS,
          (atMs + ms) * TICKS_PER_MS,
          id,
          JSON.stringify({ id, title: program, description: '', startMs, endMs }),
          component,
          type,
          type === 'VIDEO' ? videoId : null,
        ],
      )
      atMs += ms
    }
  } finally {
    await owner.end()
  }
}
