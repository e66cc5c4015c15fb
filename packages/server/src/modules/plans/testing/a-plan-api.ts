import type { AnswerOf, Operations } from '@continuity/contract'
import { sql } from 'kysely'
import { somePageCursors } from '../../../http/testing/an-api.ts'
import { runTransaction } from '../../../platform/database/database.ts'
import { endDue, findDue, lockDue } from '../../../platform/due/due-rows.ts'
import { ingestRoutes } from '../../ingest/routes.ts'
import { programRoutes } from '../../programs/routes.ts'
import {
  aScheduleApi,
  type OpenedDatabase,
  type ScheduleAccount,
  type ScheduleApi,
} from '../../schedule/testing/a-schedule-api.ts'
import { createPlanner, type Planner } from '../index.ts'
import { planRoutes } from '../routes.ts'
import { runPlanner } from '../run-planner.ts'

export type Plan = AnswerOf<Operations['getPlan']>
export type Preview = AnswerOf<Operations['previewPlan']>
export type Hit = AnswerOf<Operations['listPrograms']>['hits'][number]

export interface PlanApi extends ScheduleApi {
  readonly planner: Planner
  /** Runs the planner for the channels that are due, once each. Returns how many there were. */
  plan(): Promise<number>
  /** The job of one channel; `meanwhile` happens between the plan and its transaction. */
  planChannel(account: ScheduleAccount, meanwhile?: () => Promise<void>): Promise<void>
  /** Makes a video a READY episode of a series. */
  aFilm(
    account: ScheduleAccount,
    title: string,
    minutes: number,
    seriesId?: string,
    episode?: number,
  ): Promise<string>
  aSeries(account: ScheduleAccount, title: string): Promise<string>
  programs(account: ScheduleAccount, fromMs: number, days: number): Promise<readonly Hit[]>
}

export const planOf = ({ channelId }: Pick<ScheduleAccount, 'channelId'>): string =>
  `/api/2.3/linear_channels/${channelId}/plan`

const DAY_MS = 86_400_000

/** Plans over HTTP in a database of their own, for the file of tests that awaits it. */
export async function aPlanApi(given?: OpenedDatabase, catalogMs = 0): Promise<PlanApi> {
  // Usually without reuse: the tests change catalogs in between.
  const planner = createPlanner({ catalogMs })
  const system = await aScheduleApi(
    (deps) => ({
      ...ingestRoutes(deps),
      ...programRoutes({ ...deps, pageCursors: somePageCursors() }),
      ...planRoutes({ database: deps.database, planner }),
    }),
    given,
  )
  const { api, database } = system
  const run = runPlanner(planner)
  const planChannel = (accountId: string, channelId: string, meanwhile?: () => Promise<void>) => {
    const db = database.forAccount(accountId)
    return run({
      data: { linear_channel_id: channelId },
      accountId,
      db,
      nowMs: api.nowMs,
      finish: async (effect) => {
        await meanwhile?.()
        return runTransaction(db, (tx) => effect(tx, api.nowMs))
      },
    })
  }
  return {
    ...system,
    planner,
    planChannel: ({ accountId, channelId }, meanwhile) => planChannel(accountId, channelId, meanwhile),
    async plan() {
      const rows = await findDue(database.platform, ['plan_rules'], api.nowMs, 1_000)
      for (const row of rows) {
        await runTransaction(database.forAccount(row.accountId!), async (tx) => {
          const version = await lockDue(tx, row)
          if (version !== undefined) await endDue(tx, row, version)
        })
        await planChannel(row.accountId!, row.subjectId)
      }
      return rows.length
    },
    async aFilm(account, title, minutes, seriesId, episode) {
      const { videoId } = await system.aVideo(account, minutes * 60)
      const body = {
        title,
        status: 'READY',
        ...(seriesId === undefined ? {} : { series_id: seriesId, season_number: 1, episode_number: episode }),
      }
      const answer = await account.admin.patch(`/api/2.1/videos/${videoId}`, body)
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return videoId
    },
    async aSeries({ admin }, title) {
      const answer = await admin.post<{ series_id: string }>('/api/2.1/series', { title })
      if (answer.statusCode !== 201) throw new Error(answer.body)
      return answer.json().series_id
    },
    async programs({ admin, channelId }, fromMs, days) {
      const hits: Hit[] = []
      for (let day = 0; day < days; day += 7) {
        const from = new Date(fromMs + day * DAY_MS).toISOString()
        const to = new Date(fromMs + Math.min(day + 7, days) * DAY_MS).toISOString()
        for (let mark: string | undefined; ; ) {
          const query = new URLSearchParams({ from, to, page_size: '50', ...(mark && { page_offset: mark }) })
          const answer = await admin.get<{ hits: Hit[]; page: { page_mark?: string | null } }>(
            `/api/2.3/linear_channels/${channelId}/programs?${query.toString()}`,
          )
          if (answer.statusCode !== 200) throw new Error(answer.body)
          const body = answer.json()
          hits.push(...body.hits)
          mark = body.page.page_mark ?? undefined
          if (mark === undefined) break
        }
      }
      return [...new Map(hits.map((hit) => [hit.program_id, hit])).values()]
    },
  }
}

/** Deletes the rows of videos, as if an operator had: without the check that they are committed. */
export const loseMedia = ({ db, accountId }: ScheduleAccount, videoId: string) =>
  sql`update assets set state = 'FAILED', package_path = null, duration_ticks = null, segment_count = null
       where account_id = ${accountId} and video_id = ${videoId}`.execute(db)
