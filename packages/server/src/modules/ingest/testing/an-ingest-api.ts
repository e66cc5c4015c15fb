import { randomUUID } from 'node:crypto'
import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import { type ApiUser, anApi, somePageCursors, type TestApi } from '../../../http/testing/an-api.ts'
import { NOW_MS } from '../../../http/testing/credentials.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { JobRun } from '../../../platform/jobs/job-handler.ts'
import { aDatabase, type TestDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { applyCuePoints } from '../../assets/index.ts'
import { namedMedia } from '../../catalog/index.ts'
import { catalogRoutes } from '../../catalog/routes.ts'
import { aJobRun } from '../../catalog/testing/a-job-run.ts'
import { isReferenced } from '../../channels/index.ts'
import { channelRoutes } from '../../channels/routes.ts'
import { processRequest } from '../process-request.ts'
import { ingestRoutes } from '../routes.ts'

export const SCHEDULE = '/api/2.1/automation/schedule'

export type WireRequest = BodyOf<Operations['scheduleProgram']>
export type WireStatus = AnswerOf<Operations['getScheduleRequest']>

/** An account of its own with a channel. */
export interface IngestAccount {
  readonly accountId: string
  readonly channelId: string
  readonly admin: ApiUser
  readonly db: Db
}

export interface IngestApi extends TestDatabase {
  readonly api: TestApi
  anAccount(): Promise<IngestAccount>
  /** Submits a program; throws where it is not accepted. */
  submit(account: IngestAccount, body: WireRequest): Promise<string>
  statusOf(account: IngestAccount, requestId: string): Promise<WireStatus>
  /** Processes a request as a worker does. */
  process(account: IngestAccount, requestId: string): Promise<void>
}

export async function anIngestApi(): Promise<IngestApi> {
  const opened = await aDatabase()
  const { database, ownerUrl } = opened
  const api = await anApi({
    ...catalogRoutes({
      database,
      pageCursors: somePageCursors(),
      isReferenced: (tx, { accountId }, what) => isReferenced(tx, accountId, what),
      applyCuePoints,
      mediaBase: 'https://media.example/',
    }),
    ...channelRoutes({ database, namedMedia, publishChange: async () => {} }),
    ...ingestRoutes({ database }),
  })
  return {
    ...opened,
    api,
    async anAccount() {
      const accountId = randomUUID()
      await addAccounts(ownerUrl, { [accountId]: accountId })
      const admin = api.userOf(accountId)
      const channel = await admin.post<{ linear_channel_id: string }>('/api/2.3/linear_channels', {
        title: 'One',
      })
      const channelId = channel.json().linear_channel_id
      return { accountId, channelId, admin, db: database.forAccount(accountId) }
    },
    async submit({ admin }, body) {
      const answer = await admin.post<{ request_id: string }>(SCHEDULE, body)
      if (answer.statusCode !== 202) throw new Error(answer.body)
      return answer.json().request_id
    },
    async statusOf({ admin }, requestId) {
      const answer = await admin.get<WireStatus>(`${SCHEDULE}/${requestId}`)
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json()
    },
    process: (account, requestId) =>
      processRequest(aFinishingRun(account, { request_id: requestId }, api.nowMs)),
  }
}

/** A run whose `finish` is a plain transaction. */
export function aFinishingRun<Data extends Readonly<Record<string, string>>>(
  account: { readonly db: Db; readonly accountId: string },
  data: Data,
  nowMs: number,
): JobRun<Data> {
  return {
    ...aJobRun(account, data),
    nowMs,
    finish: (effect) => account.db.transaction().execute((tx) => effect(tx, nowMs)),
  }
}

export const START_MS = NOW_MS + 3_600_000

/** Half an hour that begins in an hour. */
export const aProgram = (channelId: string, changes: Partial<WireRequest> = {}): WireRequest => ({
  linear_channel_id: channelId,
  source_id: 'north',
  program_title: 'Harbour Nights',
  videos: [aVideo('HN-1'), { type: 'AD_POD', duration: 120 }],
  schedule: { start_time: new Date(START_MS).toISOString(), duration_ms: 1_800_000 },
  ...changes,
})

type WireVideo = Extract<WireRequest['videos'][number], { type: 'VIDEO' }>

export const aVideo = (videoSourceId: string, changes: Partial<WireVideo> = {}): WireVideo => ({
  type: 'VIDEO',
  video_source_id: videoSourceId,
  title: `Video ${videoSourceId}`,
  video_url: `https://partner.example/${videoSourceId}.mp4`,
  duration: 60,
  ...changes,
})
