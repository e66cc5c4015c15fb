import type { AnswerOf, Operations } from '@continuity/contract'
import { statusOf } from '@continuity/core/live/source-state'
import type { SourcePreview } from './read-preview.ts'
import type { LiveSource } from './store.ts'

export const toWirePreview = (
  { sourceId, state }: LiveSource,
  preview: SourcePreview | null,
  mediaBase: string,
): AnswerOf<Operations['getLiveSourcePreview']> => ({
  live_source_id: sourceId,
  status: statusOf(state),
  slot:
    preview === null
      ? null
      : {
          input: preview.input,
          start_time: new Date(preview.startMs).toISOString(),
          still_url: `${mediaBase}${preview.stillPath}`,
          segment_url: preview.segmentPath === null ? null : `${mediaBase}${preview.segmentPath}`,
        },
})
