import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openOwner } from '@continuity/server/owner'
import { writePrivateFile } from './private-file.ts'

/** With these anybody can try the API at once. */
export interface DemoAccount {
  readonly account_name: string
  readonly email: string
  readonly password: string
  readonly app_name: string
  readonly sdk_key: string
}

const NAMES = { account_name: 'demo', email: 'demo@demo.example', app_name: 'demo-tv' } as const
const NEW_ACCOUNT = { title: 'Demo', country: undefined, frame_rate: undefined, segment_ms: undefined }
const ROLES = ['ROLE_USER', 'ROLE_ADMIN', 'SCHEDULE']

/**
 * The account that a first start makes, with a user and an app key. Their
 * secrets are kept in the home, which is the only place that still knows them.
 */
export async function ensureDemoAccount(home: string, ownerUrl: string): Promise<DemoAccount> {
  const owner = openOwner(ownerUrl, Date.now())
  try {
    const path = join(home, 'demo-account.json')
    const kept = await readKept(path)
    const isThere = (await owner.listAccounts()).some(
      (account) => account.account_name === NAMES.account_name,
    )
    if (kept !== undefined && isThere) return kept
    if (!isThere) await owner.createAccount({ ...NEW_ACCOUNT, account_name: NAMES.account_name })
    const password = randomBytes(12).toString('base64url')
    await setUser(owner, password)
    const { sdk_key } = await owner.createAppKey(NAMES.account_name, NAMES.app_name)
    const made = { ...NAMES, password, sdk_key }
    await writePrivateFile(path, `${JSON.stringify(made, null, 2)}\n`)
    return made
  } finally {
    await owner.close()
  }
}

async function readKept(path: string): Promise<DemoAccount | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as DemoAccount)
}

/** A start that was killed before it could write the file leaves a user behind whose password is lost. */
async function setUser(owner: ReturnType<typeof openOwner>, password: string): Promise<void> {
  const { account_name: account, email } = NAMES
  const users = await owner.listUsers(account)
  if (users.some((user) => user.email === email)) await owner.changeUser(account, email, { password })
  else await owner.createUser(account, { email, name: 'Demo', password, roles: ROLES })
}
