import type { Tone } from '../shared/status-badge.tsx'
import type { IngestStatus } from '../shared/wire-types.ts'

type State = IngestStatus['state']
type ItemState = IngestStatus['items'][number]['state']

export const requestWords: Readonly<Record<State, string>> = {
  QUEUED: 'Queued',
  PROCESSING: 'Processing',
  SCHEDULED: 'Placed',
  FAILED: 'Failed',
  REPLACED: 'Replaced',
  CANCELLED: 'Cancelled',
}

export const requestTones: Readonly<Record<State, Tone>> = {
  QUEUED: 'quiet',
  PROCESSING: 'busy',
  SCHEDULED: 'good',
  FAILED: 'bad',
  REPLACED: 'quiet',
  CANCELLED: 'quiet',
}

export const requestMeanings: Readonly<Record<State, string>> = {
  QUEUED: 'It is accepted, and waits for a worker.',
  PROCESSING: 'Its videos are fetched and packaged.',
  SCHEDULED: 'It has its time slot on the channel.',
  FAILED: 'It cannot be shown.',
  REPLACED: 'Another request has its time slot.',
  CANCELLED: 'An operator cancelled its program.',
}

export const itemWords: Readonly<Record<ItemState, string>> = {
  QUEUED: 'Waiting',
  FETCHING: 'Being fetched',
  PACKAGING: 'Being packaged',
  READY: 'Ready',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
}

export const itemTones: Readonly<Record<ItemState, Tone>> = {
  QUEUED: 'quiet',
  FETCHING: 'busy',
  PACKAGING: 'busy',
  READY: 'good',
  FAILED: 'bad',
  CANCELLED: 'quiet',
}

export const isFetched = (state: ItemState): boolean => state === 'PACKAGING' || state === 'READY'

/** Nothing changes any more without a new request or an operator. */
export const isOver = (state: State): boolean => state !== 'QUEUED' && state !== 'PROCESSING'
