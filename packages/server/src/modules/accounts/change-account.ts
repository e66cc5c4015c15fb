import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { recordAudit } from '../audit/index.ts'
import { AccountFormatFrozen } from './errors.ts'
import { type Account, type AccountDefaults, lockAccount, updateAccount } from './store.ts'

/** Changes the defaults of an account. `check` is called with the current account, locked. */
export async function changeAccount(
  tx: Transaction,
  actor: Actor,
  changes: Partial<AccountDefaults>,
  check: (account: Account) => void,
): Promise<Account> {
  const before = await lockAccount(tx, actor.accountId)
  check(before)
  const after = { ...before, ...changes }
  const isOtherFormat = after.frameRate !== before.frameRate || after.segmentMs !== before.segmentMs
  if (isOtherFormat && before.formatFrozenMs !== null) throw AccountFormatFrozen()
  const account = await updateAccount(tx, before, changes, actor.nowMs)
  await recordAudit(tx, actor, {
    action: 'account.change',
    subjectType: 'account',
    subjectId: account.accountId,
    before: shown(before),
    after: shown(account),
  })
  return account
}

const shown = ({ title, country, frameRate, segmentMs, loudnessLufs }: Account) => ({
  title,
  country,
  frame_rate: frameRate,
  segment_ms: segmentMs,
  loudness_lufs: loudnessLufs,
})
