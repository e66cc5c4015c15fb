import { rankedWordsOf, termsOf } from '@continuity/core/search/search-terms'
import { columnsOf, searchedOf } from '../../../packages/server/src/modules/catalog/records/video-document.ts'
import type { MadeVideo } from '../generate/make-video.ts'
import type { CopyRow } from './copy-rows.ts'

/** The rows that the server would write for a video. */
export function rowsOf(
  accountId: string,
  tier: number,
  { record, media, seriesTitle }: MadeVideo,
): { readonly video: CopyRow; readonly search: CopyRow } {
  const columns = columnsOf(record, media)
  const searched = searchedOf(record, seriesTitle)
  const key = { account_id: accountId, video_id: record.video_id }
  return {
    video: { ...key, version: 1, deleted_ms: null, ...columns },
    search: {
      ...key,
      published_ms: columns.published_ms,
      available_ms: columns.available_ms,
      expired_ms: columns.expired_ms,
      duration: columns.duration,
      is_ready: record.status === 'READY',
      tier,
      terms: termsOf(searched, tier),
      words: rankedWordsOf(searched),
    },
  }
}
