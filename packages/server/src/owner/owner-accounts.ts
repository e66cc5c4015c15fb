import { createAccount } from '../modules/accounts/index.ts'
import { type Account, findAccountId, getAccount, listAccounts } from '../modules/accounts/read.ts'
import type { Actor } from '../platform/actor.ts'
import type { Db } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs/all-jobs.ts'
import { AccountExists, AccountNameInvalid, AccountNotFound } from './errors.ts'

/** A new account; undefined fields get their defaults. */
export interface AccountDraft {
  readonly account_name: string
  readonly title: string | undefined
  readonly country: string | undefined
  readonly frame_rate: 25 | 30 | undefined
  readonly segment_ms: 3_200 | 6_400 | undefined
}

const PAGE_SIZE = 500

/** The accounts of the platform, by name, with the field names of the API. `owner` is not bound to an account. */
export function ownerAccounts(owner: Db, nowMs: number) {
  return {
    async createAccount(draft: AccountDraft) {
      const { account_name: name, title, country, frame_rate, segment_ms } = draft
      const options = {
        name,
        ...(title === undefined ? {} : { title }),
        ...(country === undefined ? {} : { country }),
        ...(frame_rate === undefined ? {} : { frameRate: frame_rate }),
        ...(segment_ms === undefined ? {} : { segmentMs: segment_ms }),
      }
      const result = await owner.transaction().execute(async (tx) => {
        const made = await createAccount(tx, options, nowMs)
        // The default media lets its first channel start before anything is uploaded.
        if (made.kind === 'created')
          await enqueue(tx, 'make_default_media', {}, { accountId: made.accountId, requestId: undefined })
        return made
      })
      if (result.kind === 'created') return toRecord(await getAccount(owner, result.accountId))
      throw result.reason === 'name_taken' ? AccountExists(name) : AccountNameInvalid(name)
    },

    async listAccounts() {
      const all: Account[] = []
      for (;;) {
        const page = await listAccounts(owner, all.at(-1)?.name ?? '', PAGE_SIZE)
        all.push(...page)
        if (page.length < PAGE_SIZE) return all.map(toRecord)
      }
    },

    async getAccount(name: string) {
      return toRecord(await getAccount(owner, await requireAccountId(owner, name)))
    },
  }
}

export async function requireAccountId(owner: Db, name: string): Promise<string> {
  const accountId = await findAccountId(owner, name)
  if (accountId === undefined) throw AccountNotFound(name)
  return accountId
}

/** The owner's commands act as the platform itself, not as a user. */
export const ownerActor = (accountId: string, nowMs: number): Actor => ({
  accountId,
  userId: null,
  requestId: null,
  nowMs,
})

const toRecord = (account: Account) => ({
  account_id: account.accountId,
  account_name: account.name,
  title: account.title,
  country: account.country,
  frame_rate: account.frameRate,
  segment_ms: account.segmentMs,
  loudness_lufs: account.loudnessLufs,
  is_format_frozen: account.formatFrozenMs !== null,
  created_date: new Date(account.createdMs).toISOString(),
})
