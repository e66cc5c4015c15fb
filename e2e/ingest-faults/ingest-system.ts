import { type Client, createClient } from '@continuity/client'
import { type Parts, partsOf } from '@continuity/dev/kill-and-start'
import { openSql, type Sql } from '@continuity/dev/sql'
import { startStack } from '@continuity/dev/stack'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'

/** A system that packages, without a playout node. */
export interface IngestSystem {
  readonly home: string
  readonly client: Client
  readonly sql: Sql
  readonly parts: Parts
  /** Submits a program of one file; `day` selects its time. Returns its request. */
  submit(name: string, address: string, day?: number): Promise<string>
  /** The video of a request, once it is packaged. */
  untilReady(requestId: string): Promise<string>
}

const DAY_MS = 86_400_000

export async function startIngestSystem(
  opened: AsyncDisposableStack,
  own: Readonly<Record<string, string>>,
  lateMs: number,
): Promise<IngestSystem> {
  const home = await temporaryFolder(opened)
  const settings = {
    LADDER: '160x90@100+64',
    ENCODER_PRESET: 'ultrafast',
    MEDIA_BASE_URL: 'https://media.example/',
    ...own,
  }
  const usual = { home, port: 0, searchPath: process.env['PATH'] ?? '', log: () => {} }
  const stack = await startStack({ ...usual, settings, withoutPlayout: true })
  opened.defer(() => stack.stop())
  const sql = openSql(stack.databaseOwnerUrl)
  opened.defer(() => sql.close())
  const client = createClient({ baseUrl: stack.baseUrl })
  const { account_name, email, password } = stack.demoAccount
  await client.login({ body: { account_name, email, password } })
  const { linear_channel_id } = await client.createLinearChannel({ body: { title: 'One' } })
  return {
    home,
    client,
    sql,
    parts: partsOf(opened, home, stack, settings),
    async submit(name, video_url, day = 0) {
      const startMs = (Math.ceil(Date.now() / DAY_MS) + 2 + day) * DAY_MS
      const video = { type: 'VIDEO', video_source_id: name, title: name, video_url, duration: 1 } as const
      const schedule = { start_time: new Date(startMs).toISOString(), duration_ms: DAY_MS }
      const body = {
        linear_channel_id,
        source_id: 'north',
        program_title: name,
        videos: [video],
        schedule,
      }
      return (await client.scheduleProgram({ body })).request_id
    },
    async untilReady(request_id) {
      const videoId = await pollUntil(async () => {
        const { items } = await client.getScheduleRequest({ params: { request_id } })
        return items[0]?.state === 'READY' ? items[0].video_id! : undefined
      }, lateMs)
      if (videoId === undefined) throw new Error('not packaged in time')
      return videoId
    },
  }
}
