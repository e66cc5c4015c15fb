import type { Db } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { type AccountDefaults, insertAccount } from './store.ts'

export interface NewAccount extends Partial<AccountDefaults> {
  readonly name: string
}

export type CreateAccountResult =
  | { readonly kind: 'created'; readonly accountId: string }
  | { readonly kind: 'refused'; readonly reason: 'name_taken' | 'name_invalid' }

/** EBU R 128 asks for -23 LUFS; 30 frames and 3.2 s are the house format's first choice. */
const DEFAULTS = { country: 'US', frameRate: 30, segmentMs: 3_200, loudnessLufs: -23 } as const

/** It is typed at every login, and stands in commands and logs. */
const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/

/** Makes an account, as the owner of the platform. */
export async function createAccount(
  owner: Db,
  draft: NewAccount,
  nowMs: number,
): Promise<CreateAccountResult> {
  if (!NAME.test(draft.name)) return { kind: 'refused', reason: 'name_invalid' }
  const account = { ...DEFAULTS, title: draft.name, ...draft, accountId: newId(nowMs) }
  const isMade = await insertAccount(owner, account, nowMs)
  return isMade
    ? { kind: 'created', accountId: account.accountId }
    : { kind: 'refused', reason: 'name_taken' }
}
