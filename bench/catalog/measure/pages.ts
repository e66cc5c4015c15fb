import { pageCursors } from '../benched-catalog.ts'
import { BIG_ACCOUNT } from '../load/accounts.ts'

export interface PageStart {
  readonly published_ms: number
  readonly video_id: string
}

/** The page of videos after any given video. */
export function pageAfter({ published_ms, video_id }: PageStart): string {
  const scope = {
    accountId: BIG_ACCOUNT,
    operationId: 'listVideos',
    filter: { params: {}, query: { media_type: 'mp4', sort: 'date_published.DESC' }, body: undefined },
  }
  return `${firstPage}?page_offset=${pageCursors.seal(scope, [published_ms, video_id])}`
}

export const firstPage = '/api/2.1/videos'
