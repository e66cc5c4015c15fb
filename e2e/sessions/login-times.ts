import { freshAddress } from './fresh-address.ts'
import { type Login, logIn } from './session-calls.ts'
import type { SessionSystem } from './session-system.ts'

const kinds = ['known', 'unknownEmail', 'unknownAccount'] as const
type Kind = (typeof kinds)[number]

/** Rounds that are not timed. */
const WARM_UP = 5

export interface LoginTimes {
  readonly ms: Readonly<Record<Kind, readonly number[]>>
  readonly otherThan401: number
}

/**
 * Wrong logins of each kind, one at a time. Every user and every address is used
 * once, so that no limit applies: all of them are checked to the end.
 */
export async function timeWrongLogins(
  { apis }: SessionSystem,
  { users, random }: { readonly users: readonly Login[]; readonly random: () => number },
): Promise<LoginTimes> {
  const ms: Record<Kind, number[]> = { known: [], unknownEmail: [], unknownAccount: [] }
  let otherThan401 = 0
  for (const [round, user] of users.entries()) {
    const logins: Record<Kind, Login> = {
      known: user,
      unknownEmail: { ...user, email: `unknown-${user.email}` },
      unknownAccount: { ...user, account_name: `no-${user.account_name}` },
    }
    for (const kind of inAnyOrder(kinds, random)) {
      const startMs = performance.now()
      const { status } = await logIn(apis[round % 2]!, logins[kind], freshAddress())
      const tookMs = performance.now() - startMs
      if (status !== 401) otherThan401 += 1
      if (round >= WARM_UP) ms[kind].push(tookMs)
    }
  }
  return { ms, otherThan401 }
}

function inAnyOrder<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}
