import { freshAddress } from './fresh-address.ts'
import { type Login, logIn, type SessionAnswer } from './session-calls.ts'
import type { SessionSystem } from './session-system.ts'
import { severalAtOnce } from './several-at-once.ts'

export interface AttackOptions {
  /** The password is guessed: this is what all guesses begin with. */
  readonly login: Login
  readonly tries: number
  readonly addresses: number
  readonly inFlight: number
}

export interface Attack {
  readonly ended: Promise<readonly SessionAnswer[]>
  isOver(): boolean
}

/** No more than ten passwords may be checked: where so many were, the rest of the attack shows nothing more. */
const CHECKED_ENOUGH = 20

/** Wrong passwords for one user, from many addresses, on both processes, as fast as they are answered. */
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

/** Logs in again and again for as long as the attack lasts, on one process and then on the other. */
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
