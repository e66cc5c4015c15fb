import type { AnswerOf, Operations } from '@continuity/contract'
import { sql } from 'kysely'
import { somePageCursors } from '../../../http/testing/an-api.ts'
import { namedMedia } from '../../catalog/index.ts'
import { findChannel, listShowing } from '../../channels/index.ts'
import { ingestRoutes } from '../../ingest/routes.ts'
import { liveRoutes } from '../../live/routes.ts'
import { overrideRoutes } from '../../overrides/routes.ts'
import {
  aScheduleApi,
  type ScheduleAccount,
  type ScheduleApi,
} from '../../schedule/testing/a-schedule-api.ts'
import { programRoutes } from '../routes.ts'

export type Page = AnswerOf<Operations['listPrograms']>
export type Hit = Page['hits'][number]
export type Now = AnswerOf<Operations['readOnAirNow']>

export interface ProgramApi extends ScheduleApi {
  list(account: ScheduleAccount, query?: Readonly<Record<string, string>>): Promise<Page>
  now(account: ScheduleAccount): Promise<Now>
  start(account: ScheduleAccount): Promise<void>
  /** The id of a live source that is ACTIVE. */
  aSource(account: ScheduleAccount): Promise<string>
}

export const programsOf = ({ channelId }: Pick<ScheduleAccount, 'channelId'>): string =>
  `/api/2.3/linear_channels/${channelId}/programs`

/** Programs over HTTP in a database of their own, for the file of tests that awaits it. */
export async function aProgramApi(): Promise<ProgramApi> {
  const system = await aScheduleApi((deps) => ({
    ...liveRoutes({
      ...deps,
      readLatest: async () => undefined,
      mediaBase: '/media/',
      namedRecords: {
        hasVideo: namedMedia.hasVideo,
        hasChannel: async (tx, account, id) => (await findChannel(tx, account, id)) !== undefined,
        listShowing,
      },
    }),
    ...ingestRoutes(deps),
    ...overrideRoutes(deps),
    ...programRoutes({ ...deps, pageCursors: somePageCursors() }),
  }))
  return {
    ...system,
    async list(account, query = {}) {
      const answer = await account.admin.get<Page>(
        `${programsOf(account)}?${new URLSearchParams(query).toString()}`,
      )
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json()
    },
    async now({ admin, channelId }) {
      const answer = await admin.get<Now>(`/api/2.3/linear_channels/${channelId}/now`)
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json()
    },
    async start({ admin, channelId }) {
      await admin.put(`/api/2.3/linear_channels/${channelId}/start`)
      await system.sweep()
    },
    async aSource({ admin, db }) {
      const made = await admin.post<{ live_source_id: string }>('/api/2.3/live_sources', {
        name: 'Harbour camera',
        type: 'HLS_PULL',
        metadata: { input_url: 'https://live.example/a.m3u8' },
      })
      const { live_source_id: id } = made.json()
      await sql`update live_sources set state = 'ACTIVE' where live_source_id = ${id}`.execute(db)
      return id
    },
  }
}
