import type { List } from '../paging/lists.ts'
import type { WireVideo } from '../paging/record-order.ts'
import { isVisibleAt, type OpenCatalog } from './open-catalog.ts'
import type { Visitor } from './visitor.ts'

export interface SlowFindings {
  /** Walks of several pages. */
  walks: number
  skipped: number
  repeated: number
  hiddenRows: number
  misplaced: number
  /** Pages that failed with an error. */
  failed: number
}

const MOST_LOGGED = 10

export interface SlowOptions {
  readonly catalog: OpenCatalog
  readonly visitor: Visitor
  readonly pageSize: number
  log(line: string): void
}

/** Walks that read one page at each time, so that every cursor is used later than it was created. */
export function createSlowWalks(
  lists: readonly List<WireVideo>[],
  { catalog, visitor, pageSize, log }: SlowOptions,
) {
  const found: SlowFindings = { walks: 0, skipped: 0, repeated: 0, hiddenRows: 0, misplaced: 0, failed: 0 }
  const walks = lists.map((list) => ({ list, cursor: '0', rows: [] as WireVideo[], times: [] as number[] }))

  const readOn = async (walk: (typeof walks)[number], nowMs: number) =>
    readNext(walk, nowMs).catch((error: unknown) => {
      found.failed += 1
      if (found.failed <= MOST_LOGGED) log(`${walk.list.name}: ${String(error)}`)
      Object.assign(walk, { cursor: '0', rows: [], times: [] })
    })
  const readNext = async (walk: (typeof walks)[number], nowMs: number) => {
    const page = await visitor.readPage<WireVideo>(walk.list, pageSize, walk.cursor)
    walk.times.push(nowMs)
    walk.rows.push(...page.hits)
    found.hiddenRows += page.hits.filter((video) => !isVisibleAt(video, nowMs)).length
    if (page.page.page_mark !== null) {
      walk.cursor = page.page.page_mark
      return
    }
    const isAlwaysVisible = (video: WireVideo) => walk.times.every((atMs) => isVisibleAt(video, atMs))
    for (const video of catalog.videos.filter((one) => walk.list.has(one) && isAlwaysVisible(one))) {
      const times = walk.rows.filter(({ video_id }) => video_id === video.video_id).length
      if (times === 0) found.skipped += 1
      if (times > 1) found.repeated += 1
    }
    found.misplaced += walk.list.countMisplaced(walk.rows)
    if (walk.times.length > 1) found.walks += 1
    Object.assign(walk, { cursor: '0', rows: [], times: [] })
  }
  return {
    found,
    readAll: async (nowMs: number) => {
      for (const walk of walks) await readOn(walk, nowMs)
    },
    /** Reads the remaining pages of all walks. */
    finish: async (nowMs: number) => {
      for (const walk of walks) while (walk.cursor !== '0') await readOn(walk, nowMs)
    },
  }
}
