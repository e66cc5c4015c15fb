/** Content types that are shown between programs. */
const interstitials: ReadonlySet<string> = new Set(['INTERSTITIAL', 'PROMO', 'BUMPER', 'TRAILER'])

/** Whether a video of this content type is an interstitial component of its program. */
export const isInterstitialType = (contentType: string | null): boolean =>
  interstitials.has(contentType?.toUpperCase() ?? '')
