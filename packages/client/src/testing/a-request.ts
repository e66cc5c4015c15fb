import { operations } from '@continuity/contract'
import type { RequestItem, RequestStatus } from '../index.ts'

const { answer } = operations.getScheduleRequest.example

/** A request whose items are in these states. */
export const aRequest = (
  states: readonly RequestItem['state'][],
  changes: Partial<RequestStatus> = {},
): RequestStatus => ({
  ...answer,
  state: 'PROCESSING',
  warnings: [],
  items: states.map((state, at) => ({
    type: 'VIDEO',
    video_source_id: `v-${at}`,
    video_id: null,
    state,
    progress: state === 'READY' ? 1 : 0,
    reason: null,
  })),
  ...changes,
})
