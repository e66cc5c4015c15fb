import type { Draw } from '@continuity/dev/draw'
import { type Hit, type PlanApi, planOf } from '../../packages/server/src/modules/plans/testing/a-plan-api.ts'
import type { ScheduleAccount } from '../../packages/server/src/modules/schedule/testing/a-schedule-api.ts'
import { addEpisode, addFilm, drawRules, type Library } from './library.ts'
import type { RunStatement } from './play-plan.ts'

export const editKinds = ['rules', 'one-off', 'cancel', 'move', 'delete-video', 'upload'] as const
export type EditKind = (typeof editKinds)[number]

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** So many stay, or nothing would be left that the separation allows. */
const LEAST_FILMS = 30
const LEAST_EPISODES = 40

/** What an edit may be answered with: done, or a rejection that the interface documents. */
const expected: Readonly<Record<EditKind, readonly number[]>> = {
  rules: [200],
  'one-off': [201, 409, 422],
  cancel: [204, 409],
  move: [200, 409, 422],
  'delete-video': [204, 409],
  upload: [],
}

export interface Editor {
  /** Changes something. Returns the kind if it was done, undefined if it was rejected. */
  edit(upcoming: readonly Hit[]): Promise<EditKind | undefined>
}

export function createEditor(
  system: PlanApi,
  account: ScheduleAccount,
  draw: Draw,
  library: Library,
  run: RunStatement,
): Editor {
  const { api } = system
  const { admin, channelId } = account
  const programs = `/api/2.3/linear_channels/${channelId}/programs`
  let made = 0

  const soon = () => api.nowMs + 90_000 + draw.below(draw.one([2 * HOUR_MS, DAY_MS, 6 * DAY_MS]))
  const tryEdit = async (kind: EditKind, upcoming: readonly Hit[]): Promise<number | undefined> => {
    switch (kind) {
      case 'rules': {
        const from = draw.chance(0.5) ? '' : `?from=${new Date(soon()).toISOString()}`
        return (await admin.put(`${planOf(account)}${from}`, drawRules(draw, library))).statusCode
      }
      case 'one-off': {
        made += 1
        const start = Math.ceil(soon() / 60_000) * 60_000
        const items = [{ video_id: draw.one(library.films) }]
        const body = { title: `Special ${made}`, start_time: new Date(start).toISOString(), items }
        return (await admin.post(programs, body)).statusCode
      }
      case 'cancel': {
        if (upcoming.length === 0) return undefined
        return (await admin.delete(`${programs}/${draw.one(upcoming).program_id}`)).statusCode
      }
      case 'move': {
        const own = upcoming.filter(({ origin }) => origin.type === 'OPERATOR')
        if (own.length === 0) return undefined
        return move(draw.one(own).program_id)
      }
      case 'delete-video': {
        const [videos, least] = draw.chance(0.5)
          ? [library.films, LEAST_FILMS]
          : [library.episodes, LEAST_EPISODES]
        if (videos.length <= least) return undefined
        const at = draw.below(videos.length)
        const { statusCode } = await admin.delete(`/api/2.1/videos/${videos[at]!}`)
        if (statusCode === 204) videos.splice(at, 1)
        return statusCode
      }
      case 'upload':
        if (draw.chance(0.5)) await addFilm(system, account, draw, library, run)
        else await addEpisode(system, account, draw, library, draw.one(library.seriesIds))
        return 201
      default:
        throw new Error(`no edit of the kind ${String(kind satisfies never)}`)
    }
  }
  const move = async (programId: string): Promise<number | undefined> => {
    const path = `${programs}/${programId}`
    const found = await admin.get<{ title: string; items: object[] }>(path)
    if (found.statusCode !== 200) return undefined
    const { title, items } = found.json()
    const start = Math.ceil(soon() / 60_000) * 60_000
    return (await admin.put(path, { title, items, start_time: new Date(start).toISOString() })).statusCode
  }
  return {
    async edit(upcoming) {
      const kind = draw.one(editKinds)
      const status = await tryEdit(kind, upcoming)
      if (status === undefined || status >= 400) {
        if (status !== undefined && !expected[kind].includes(status)) throw new Error(`${kind}: ${status}`)
        return undefined
      }
      return kind
    },
  }
}
