import type { Bus } from '../../platform/bus.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { DatabaseUnavailable } from '../../platform/database/database-errors.ts'
import type { Logger } from '../../platform/logger.ts'
import { tellFaults } from '../../platform/told-faults.ts'
import type { TokenClaims } from './access-token.ts'
import { type EndedCredential, listEnded } from './ended-store.ts'
import { ACCESS_MS } from './open-session.ts'

export interface EndedCredentials {
  isEnded(claims: Pick<TokenClaims, 'sessionId' | 'subjectId' | 'generation'>): boolean
  /** Tells every process, this one first. What is not told is found by the next look into the table. */
  announce(ended: readonly EndedCredential[]): void
  /** Throws until the table was read once: before that nobody may be let in. */
  requireLoaded(): void
  /** Resolves when it was. */
  readonly loaded: Promise<void>
  close(): Promise<void>
}

export interface EndedCredentialsOptions {
  readonly database: Database
  readonly bus: Bus
  readonly clock: Clock
  readonly logger: Logger
}

export const ENDED_CREDENTIALS_SUBJECT = 'continuity.credentials.ended'

/** The table is read this often, for what was committed by a process that died before it could tell. */
const LOOK_MS = 5_000
const FIRST_LOOK_RETRY_MS = 500

/** Clocks and commits of other processes may be this much behind what we have seen. */
const OVERLAP_MS = 60_000

/** A refresh that raced with the end may have signed a credential that much later. */
const KEPT_MS = ACCESS_MS + OVERLAP_MS

/** Some 30 MB. An hour with more is an attack that the limits of devices and logins have let through. */
const ENTRIES_MAXIMUM = 200_000

/** Knows by heart which credentials are void, for as long as one could still be presented. */
export function watchEndedCredentials(options: EndedCredentialsOptions): EndedCredentials {
  const { database, bus, clock, logger } = options
  const known = new EndedMap()
  const abort = new AbortController()
  const { promise: loaded, resolve: tellLoaded } = Promise.withResolvers<void>()
  const logInvalid = tellFaults(logger, 'a message was not understood')
  let isLoaded = false // written by the first look that succeeds
  let latestMs = 0 // the latest end that the table has told

  const requireLoaded = () => {
    if (!isLoaded) throw DatabaseUnavailable()
  }
  const look = async () => {
    const nowMs = clock()
    const sinceMs = Math.max(nowMs - KEPT_MS, latestMs - OVERLAP_MS)
    const ended = await listEnded(database.platform, sinceMs, ENTRIES_MAXIMUM)
    known.add(ended)
    known.forget(nowMs - KEPT_MS)
    latestMs = Math.max(latestMs, ended[0]?.endedMs ?? 0)
    isLoaded = true
    tellLoaded()
  }
  const keepLooking = async () => {
    while (!abort.signal.aborted) {
      // The pool has told what is wrong; what matters here is to ask again.
      await look().catch(() => {})
      await bus.wait(isLoaded ? LOOK_MS : FIRST_LOOK_RETRY_MS, abort.signal)
    }
  }

  // First heard, then read: what ends in between is found by one or the other.
  const unsubscribe = bus.subscribe(ENDED_CREDENTIALS_SUBJECT, (message) => {
    const ended = readMessage(message)
    if (ended === undefined) logInvalid(new Error(ENDED_CREDENTIALS_SUBJECT))
    else known.add(ended)
  })
  const looking = keepLooking()

  return {
    isEnded(claims) {
      requireLoaded()
      return known.has(claims)
    },
    announce(ended) {
      if (ended.length === 0) return
      known.add(ended)
      bus.publish(ENDED_CREDENTIALS_SUBJECT, JSON.stringify(ended))
    },
    requireLoaded,
    loaded,
    async close() {
      unsubscribe()
      abort.abort()
      await looking
    },
  }
}

class EndedMap {
  readonly #sessions = new Map<string, number>() // session id -> when it ended
  readonly #subjects = new Map<string, EndedCredential>()

  has({
    sessionId,
    subjectId,
    generation,
  }: Pick<TokenClaims, 'sessionId' | 'subjectId' | 'generation'>): boolean {
    if (this.#sessions.has(sessionId)) return true
    const subject = this.#subjects.get(subjectId)
    return subject !== undefined && generation < subject.generation
  }

  add(ended: readonly EndedCredential[]): void {
    for (const entry of ended) {
      if (entry.kind === 'session') this.#sessions.set(entry.id, entry.endedMs)
      else if (entry.generation >= (this.#subjects.get(entry.id)?.generation ?? 0)) {
        this.#subjects.set(entry.id, entry)
      }
    }
    // The longest known are the nearest to their end.
    for (const id of this.#sessions.keys()) {
      if (this.#sessions.size <= ENTRIES_MAXIMUM) break
      this.#sessions.delete(id)
    }
  }

  forget(beforeMs: number): void {
    for (const [id, endedMs] of this.#sessions) if (endedMs < beforeMs) this.#sessions.delete(id)
    for (const [id, { endedMs }] of this.#subjects) if (endedMs < beforeMs) this.#subjects.delete(id)
  }
}

function readMessage(text: string): readonly EndedCredential[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every(isEnded) ? value : undefined
  } catch {
    return undefined
  }
}

function isEnded(value: unknown): value is EndedCredential {
  const { kind, id, generation, endedMs } = (value ?? {}) as Partial<Record<keyof EndedCredential, unknown>>
  const isKind = kind === 'session' || kind === 'subject'
  return isKind && typeof id === 'string' && typeof generation === 'number' && typeof endedMs === 'number'
}
