export type ItemState = 'QUEUED' | 'FETCHING' | 'PACKAGING' | 'READY' | 'FAILED' | 'CANCELLED'

export type RequestOutcome =
  | { readonly kind: 'continues' }
  | { readonly kind: 'failed'; readonly reason: 'nothing_to_play' | 'no_fill' }

/**
 * The outcome of a request by the states of its videos. A failed video leaves a gap in its program: if time
 * fill can cover it, the program continues as long as one of its videos is left.
 */
export function outcomeOf(videos: readonly ItemState[], canFill: boolean): RequestOutcome {
  const failed = videos.filter((state) => state === 'FAILED').length
  if (failed === 0) return { kind: 'continues' }
  if (!canFill) return { kind: 'failed', reason: 'no_fill' }
  return failed === videos.length ? { kind: 'failed', reason: 'nothing_to_play' } : { kind: 'continues' }
}
