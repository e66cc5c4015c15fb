import type { CatalogPlan } from '../generate/catalog-plan.ts'

/** Owns almost everything. */
export const BIG_ACCOUNT = '01900000-0000-7000-8000-00000000b001'
/** Its rows are mixed with those of the big account, as on a platform with many accounts. */
export const SMALL_ACCOUNT = '01900000-0000-7000-8000-00000000b002'

const SMALL_ACCOUNT_VIDEOS = 10_000

/** The tier size in the migration's comment. */
export const TIER_VIDEOS = 32_768

export type AccountSize = Pick<CatalogPlan, 'seed' | 'accountId' | 'videos'> & {
  /** The number of its oldest tier; the others follow. */
  readonly firstTier: number
}

export function accountsOf(videos: number): AccountSize[] {
  const small = Math.min(SMALL_ACCOUNT_VIDEOS, Math.floor(videos / 10))
  const big = { seed: 1, accountId: BIG_ACCOUNT, videos: videos - small, firstTier: 1 }
  return [big, { seed: 2, accountId: SMALL_ACCOUNT, videos: small, firstTier: 1 + tiersOf(big) }]
}

export const tiersOf = ({ videos }: Pick<AccountSize, 'videos'>): number => Math.ceil(videos / TIER_VIDEOS)
