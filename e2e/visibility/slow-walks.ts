import type { List } from '../paging/lists.ts'
import type { WireVideo } from '../paging/record-order.ts'
import { isShownAt, type OpenCatalog } from './open-catalog.ts'
import type { Visitor } from './visitor.ts'

export interface SlowFindings {
  /** Those that took several pages. */
  walks: number
  skipped: number
  repeated: number
  hiddenShown: number
  misplaced: number
  /** Pages that an error came instead of. */
  failed: number
}

const MOST_SAID = 10

export interface SlowOptions {
  readonly catalog: OpenCatalog
  readonly visitor: Visitor
  readonly pageSize: number
  say(line: string): void
}

/** Walks that read one page at each time, so that every mark is used later than it was made. */
export function createSlowWalks(
  lists: readonly List<WireVideo>[],
  { catalog, visitor, pageSize, say }: SlowOptions,
) {
  const found: SlowFindings = { walks: 0, skipped: 0, repeated: 0, hiddenShown: 0, misplaced: 0, failed: 0 }
  const walks = lists.map((list) => ({ list, mark: '0', rows: [] as WireVideo[], times: [] as number[] }))

  const readOn = async (walk: (typeof walks)[number], nowMs: number) =>
    readNext(walk, nowMs).catch((error: unknown) => {
      found.failed += 1
      if (found.failed <= MOST_SAID) say(`${walk.list.name}: ${String(error)}`)
      Object.assign(walk, { mark: '0', rows: [], times: [] })
    })
  const readNext = async (walk: (typeof walks)[number], nowMs: number) => {
    const page = await visitor.readPage<WireVideo>(walk.list, pageSize, walk.mark)
    walk.times.push(nowMs)
    walk.rows.push(...page.hits)
    found.hiddenShown += page.hits.filter((video) => !isShownAt(video, nowMs)).length
    if (page.page.page_mark !== null) {
      walk.mark = page.page.page_mark
      return
    }
    const isThereAlways = (video: WireVideo) => walk.times.every((atMs) => isShownAt(video, atMs))
    for (const video of catalog.videos.filter((one) => walk.list.has(one) && isThereAlways(one))) {
      const times = walk.rows.filter(({ video_id }) => video_id === video.video_id).length
      if (times === 0) found.skipped += 1
      if (times > 1) found.repeated += 1
    }
    found.misplaced += walk.list.countMisplaced(walk.rows)
    if (walk.times.length > 1) found.walks += 1
    Object.assign(walk, { mark: '0', rows: [], times: [] })
  }
  return {
    found,
    readAll: async (nowMs: number) => {
      for (const walk of walks) await readOn(walk, nowMs)
    },
    /** Reads to the end what was begun. */
    finish: async (nowMs: number) => {
      for (const walk of walks) while (walk.mark !== '0') await readOn(walk, nowMs)
    },
  }
}
