import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { openSql, type Sql } from '@continuity/dev/sql'
import { startTestSystem } from '@continuity/dev/test-system'
import { openOwner } from '@continuity/server/owner'
import { type Api, openApi } from './api.ts'
import { type FilledAccount, makeFilledAccount } from './filled-account.ts'

/** The key that signs credentials. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

/** A running system with two accounts in it. */
export interface World extends AsyncDisposable {
  readonly api: Api
  readonly owner: ReturnType<typeof openOwner>
  /** As the owner of the schema, who sees the rows of all accounts. */
  readonly sql: Sql
  readonly key: SigningKey
  /** The account that sends requests. */
  readonly one: FilledAccount
  /** The account whose records are requested. */
  readonly other: FilledAccount
}

export async function openWorld(): Promise<World> {
  await using opened = new AsyncDisposableStack()
  // Rejections are logged, and there are thousands of them.
  const system = opened.use(await startTestSystem({ LOG_LEVEL: 'error' }))
  const owner = openOwner(system.databaseOwnerUrl, Date.now())
  opened.defer(() => owner.close())
  const sql = openSql(system.databaseOwnerUrl)
  opened.defer(() => sql.close())
  const api = openApi(system.baseUrl)
  opened.defer(() => api.close())

  const make = (name: string) =>
    makeFilledAccount(owner, sql, api, `${name}-${randomBytes(6).toString('hex')}`)
  const key = await readKey(system.credentialKeysFile)
  const [one, other] = [await make('one'), await make('other')]
  const all = opened.move()
  return { api, owner, sql, key, one, other, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

async function readKey(path: string): Promise<SigningKey> {
  const text = await readFile(path, 'utf8')
  const { keys } = JSON.parse(text) as { keys: { kid: string; private_key: string }[] }
  return { kid: keys[0]!.kid, privateKey: createPrivateKey(keys[0]!.private_key) }
}
