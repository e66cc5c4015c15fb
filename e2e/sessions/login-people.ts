import { randomBytes } from 'node:crypto'
import type { Login } from './session-calls.ts'
import { asOwner, type SessionSystem } from './session-system.ts'
import { severalAtOnce } from './several-at-once.ts'

export interface LoginPeople {
  readonly attacked: Login
  /** Of another account. */
  readonly bystander: Login
  /** Not used before; their passwords here are wrong. */
  readonly mistaken: readonly Login[]
}

const BYSTANDERS = 'bystanders'
const ROLES = ['ROLE_USER']

/** Creates a second account, and users in both. */
export async function makePeople(it: SessionSystem, mistaken: number): Promise<LoginPeople> {
  const { account_name } = it.system.demoAccount
  return asOwner(it, async (owner) => {
    const make = async (account: string, email: string): Promise<Login> => {
      const password = newPassword()
      await owner.createUser(account, { email, name: '', password, roles: ROLES })
      return { account_name: account, email, password }
    }
    await owner.createAccount({
      account_name: BYSTANDERS,
      title: undefined,
      country: undefined,
      frame_rate: undefined,
      segment_ms: undefined,
    })
    const emails = Array.from({ length: mistaken }, (_, i) => `mistaken${i}@north.example`)
    return {
      attacked: await make(account_name, 'attacked@north.example'),
      bystander: await make(BYSTANDERS, 'bystander@south.example'),
      mistaken: await severalAtOnce(4, emails, async (email) => ({
        ...(await make(account_name, email)),
        password: newPassword(),
      })),
    }
  })
}

export const newPassword = (): string => randomBytes(12).toString('base64url')
