import { newId } from '../../platform/crypto/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import { type AccountDefaults, insertAccount } from './store.ts'

export interface NewAccount extends Partial<AccountDefaults> {
  readonly name: string
}

export type CreateAccountResult =
  | { readonly kind: 'created'; readonly accountId: string }
  | { readonly kind: 'rejected'; readonly reason: 'name_taken' | 'name_invalid' }

/** EBU R 128 specifies -23 LUFS; 30 frames/s and 3.2 s are the defaults of the house format. */
const DEFAULTS = { country: 'US', frameRate: 30, segmentMs: 3_200, loudnessLufs: -23 } as const

/** The name is typed at every login, and used in commands and logs. */
const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/

/** Creates an account, as the owner of the platform. */
export async function createAccount(
  owner: Db,
  draft: NewAccount,
  nowMs: number,
): Promise<CreateAccountResult> {
  if (!NAME.test(draft.name)) return { kind: 'rejected', reason: 'name_invalid' }
  const account = { ...DEFAULTS, title: draft.name, ...draft, accountId: newId(nowMs) }
  const isMade = await insertAccount(owner, account, nowMs)
  return isMade
    ? { kind: 'created', accountId: account.accountId }
    : { kind: 'rejected', reason: 'name_taken' }
}
