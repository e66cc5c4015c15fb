import type { RequestItem, RequestStatus } from '@continuity/client'

export const requestId = '0195c1de-6f00-7a10-8000-00000000b001'

/** A video in this state with this progress. */
export const anItem = (
  video_source_id: string,
  state: RequestItem['state'],
  progress = state === 'READY' ? 1 : 0,
  reason: RequestItem['reason'] = null,
): RequestItem => ({ type: 'VIDEO', video_source_id, video_id: null, state, progress, reason })

export const anAdPod: RequestItem = {
  type: 'AD_POD',
  video_source_id: null,
  video_id: null,
  state: 'READY',
  progress: 1,
  reason: null,
}

export const notFound = { code: 'fetch.not_found', message: 'The address answers 404.' }

export const aStatus = (
  items: readonly RequestItem[],
  changes: Partial<RequestStatus> = {},
): RequestStatus => ({
  request_id: requestId,
  linear_channel_id: '0195c1de-6f00-7a10-8000-00000000c001',
  source_id: 'north-automation',
  program_id: null,
  program_title: 'Harbour Nights',
  state: 'PROCESSING',
  reason: null,
  warnings: [],
  items: [...items],
  created_date: '2026-03-01T18:00:00.000Z',
  last_updated: '2026-03-01T18:00:12.000Z',
  ...changes,
})
