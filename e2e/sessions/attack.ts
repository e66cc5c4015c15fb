import { freshAddress } from './fresh-address.ts'
import { type Login, logIn, type SessionAnswer } from './session-calls.ts'
import type { SessionSystem } from './session-system.ts'
import { severalAtOnce } from './several-at-once.ts'

export interface AttackOptions {
  /** Its password is the prefix of all guesses. */
  readonly login: Login
  readonly tries: number
  readonly addresses: number
  readonly inFlight: number
}

export interface Attack {
  readonly ended: Promise<readonly SessionAnswer[]>
  isOver(): boolean
}

/** At most ten passwords may be checked: the attack ends after so many. */
const CHECKED_ENOUGH = 20

/** Sends wrong passwords for one user, from many addresses, to both processes, as fast as they are answered. */
export function startAttack({ apis }: SessionSystem, options: AttackOptions): Attack {
  const { login, tries, inFlight } = options
  const addresses = Array.from({ length: options.addresses }, freshAddress)
  const guesses = Array.from({ length: tries }, (_, i) => ({ ...login, password: `${login.password}-${i}` }))
  let isOver = false
  let checked = 0
  const run = async () => {
    try {
      const answers = await severalAtOnce(inFlight, guesses, async (guess, i) => {
        if (checked >= CHECKED_ENOUGH) return undefined
        const answer = await logIn(apis[i % 2]!, guess, addresses[i % addresses.length]!)
        if (answer.status === 401) checked += 1
        return answer
      })
      return answers.filter((answer) => answer !== undefined)
    } finally {
      isOver = true
    }
  }
  return { ended: run(), isOver: () => isOver }
}

export interface Probes {
  readonly answers: readonly SessionAnswer[]
  readonly latenciesMs: readonly number[]
}

/** Logs in repeatedly while the attack lasts, to both processes alternately. */
export async function probe(
  { apis }: SessionSystem,
  attack: Attack,
  login: Login,
  addressOf: (index: number) => string,
): Promise<Probes> {
  const answers: SessionAnswer[] = []
  const latenciesMs: number[] = []
  while (!attack.isOver()) {
    const index = answers.length
    const startMs = performance.now()
    answers.push(await logIn(apis[index % 2]!, login, addressOf(index)))
    latenciesMs.push(performance.now() - startMs)
  }
  return { answers, latenciesMs }
}
