export type ItemState = 'QUEUED' | 'FETCHING' | 'PACKAGING' | 'READY' | 'FAILED' | 'CANCELLED'

export type RequestOutcome =
  | { readonly kind: 'goes_on' }
  | { readonly kind: 'failed'; readonly reason: 'nothing_to_play' | 'no_fill' }

/**
 * What becomes of a request whose videos stand so. A video that failed leaves a
 * hole in its program: with time fill to cover it the program is still one, as
 * long as any of its videos is left.
 */
export function outcomeOf(videos: readonly ItemState[], canFill: boolean): RequestOutcome {
  const failed = videos.filter((state) => state === 'FAILED').length
  if (failed === 0) return { kind: 'goes_on' }
  if (!canFill) return { kind: 'failed', reason: 'no_fill' }
  return failed === videos.length ? { kind: 'failed', reason: 'nothing_to_play' } : { kind: 'goes_on' }
}
