import { operations } from '@continuity/contract'
import { type Api, openApi } from '../access/call.ts'
import { claimsOf, done, type Login, logIn, registerDevice } from '../access/session.ts'
import { startAnotherApi } from '../another-api.ts'
import { asOwner } from '../sessions/session-system.ts'
import { startTestSystem, type TestSystem } from '../test-system.ts'

export type SessionHeaders = Readonly<Record<string, string>>

export interface CatalogAccount {
  readonly accountId: string
  /** May write, and sees everything. */
  readonly admin: SessionHeaders
  /** A device of an app, without a user. */
  readonly visitor: SessionHeaders
}

/** Two API processes, called alternately, so that consecutive pages come from different processes. */
export interface CatalogSystem {
  readonly system: TestSystem
  readonly api: Api
  makeAccount(name: string): Promise<CatalogAccount>
}

/** Stopped when `opened` is disposed. */
export async function startCatalogSystem(
  opened: AsyncDisposableStack,
  settings: Readonly<Record<string, string>> = {},
): Promise<CatalogSystem> {
  const all = { ...settings, LOG_LEVEL: 'error' }
  const system = opened.use(await startTestSystem(all))
  const second = opened.use(await startAnotherApi(system, { name: 'second', settings: all }))
  const apis = [openApi(system.baseUrl), openApi(second.baseUrl)] as const
  for (const api of apis) opened.defer(() => api.close())
  const api = roundRobin(apis)
  return { system, api, makeAccount: (name) => makeAccount({ system, api }, name) }
}

function roundRobin(apis: readonly [Api, Api]): Api {
  let turn = 0
  const next = () => {
    turn += 1
    return apis[turn % 2 === 0 ? 0 : 1]
  }
  return {
    send: (request) => next().send(request),
    call: (e, parts) => next().call(e, parts),
    close: () => {},
  }
}

async function makeAccount(
  { system, api }: Pick<CatalogSystem, 'system' | 'api'>,
  name: string,
): Promise<CatalogAccount> {
  const login: Login = { account_name: name, email: `admin@${name}.example`, password: `password of ${name}` }
  await asOwner({ system }, async (owner) => {
    const nothing = { title: undefined, country: undefined, frame_rate: undefined, segment_ms: undefined }
    await owner.createAccount({ ...nothing, account_name: name })
    await owner.createUser(name, { ...login, name, roles: ['ROLE_ADMIN'] })
  })
  const { headers: admin, access } = await logIn(api, login)
  const body = { app_name: `app-${name}` }
  const { sdk_key } = await done<{ sdk_key: string }>(api, operations.createAppKey, { headers: admin, body })
  const { headers: visitor } = await registerDevice(api, body.app_name, sdk_key)
  return { accountId: claimsOf(access).accountId, admin, visitor }
}
