import type { AnswerOf, Operations } from '@continuity/contract'
import { answered } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag, requireSeen } from '../../http/entity-tag.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { Database } from '../../platform/database/database.ts'
import { changeAccount } from './change-account.ts'
import { type Account, getAccount } from './store.ts'

export function accountRoutes({ database }: { readonly database: Database }) {
  const { reading, changing } = recordHandlers(database)
  return {
    getAccount: reading(async (db, { principal }) => toAnswer(await getAccount(db, principal.accountId))),
    changeAccount: changing(async (tx, call, actor) => {
      const { title, country, frame_rate, segment_ms, loudness_lufs } = call.body
      const changes = {
        ...(title === undefined ? {} : { title }),
        ...(country === undefined ? {} : { country: country.toUpperCase() }),
        ...(frame_rate === undefined ? {} : { frameRate: frame_rate }),
        ...(segment_ms === undefined ? {} : { segmentMs: segment_ms }),
        ...(loudness_lufs === undefined ? {} : { loudnessLufs: Math.round(loudness_lufs * 10) / 10 }),
      }
      return toAnswer(await changeAccount(tx, actor, changes, requireSeen(call)))
    }),
  } satisfies Handlers
}

function toAnswer(account: Account) {
  const body: AnswerOf<Operations['getAccount']> = {
    account_id: account.accountId,
    account_name: account.name,
    title: account.title,
    country: account.country,
    frame_rate: account.frameRate,
    segment_ms: account.segmentMs,
    loudness_lufs: account.loudnessLufs,
    is_format_frozen: account.formatFrozenMs !== null,
    created_date: new Date(account.createdMs).toISOString(),
    last_updated: new Date(account.updatedMs).toISOString(),
  }
  return answered(body, { etag: recordEtag(account.version) })
}
