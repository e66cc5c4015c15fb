import type { Bus } from '../../../platform/bus/bus.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { DatabaseUnavailable } from '../../../platform/database/database-errors.ts'
import { createFaultLog } from '../../../platform/log/fault-log.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import type { TokenClaims } from '../credentials/access-token.ts'
import { type EndedCredential, listEnded } from '../records/ended-store.ts'
import { ACCESS_MS } from './open-session.ts'

export interface EndedCredentials {
  isEnded(claims: Pick<TokenClaims, 'sessionId' | 'subjectId' | 'generation'>): boolean
  /** Publishes to every process, this one first. A lost message is made up for by the next read of the table. */
  announce(ended: readonly EndedCredential[]): void
  /** Throws until the table was read once: before that, no credential is accepted. */
  requireLoaded(): void
  /** Resolves when the table was read once. */
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

/** The table is read this often, for entries whose process crashed between commit and publish. */
const LOOK_MS = 5_000
const FIRST_LOOK_RETRY_MS = 500

/** Clocks and commits of other processes may be behind by this much. */
const OVERLAP_MS = 60_000

/** A concurrent refresh may have signed a credential that much later. */
const KEPT_MS = ACCESS_MS + OVERLAP_MS

/** About 30 MB. More in an hour would be an attack that passed the limits of devices and logins. */
const ENTRIES_MAXIMUM = 200_000

/** Keeps the revoked credentials in memory for as long as they could still be presented. */
export function watchEndedCredentials(options: EndedCredentialsOptions): EndedCredentials {
  const { database, bus, clock, logger } = options
  const known = new EndedMap()
  const abort = new AbortController()
  const { promise: loaded, resolve: resolveLoaded } = Promise.withResolvers<void>()
  const logInvalid = createFaultLog(logger, 'ended credentials: message failed to decode')
  let isLoaded = false // written by the first read that succeeds
  let latestMs = 0 // the latest end that was read from the table

  const requireLoaded = () => {
    if (!isLoaded) throw DatabaseUnavailable()
  }
  const look = async () => {
    const nowMs = clock()
    const sinceMs = Math.max(nowMs - KEPT_MS, latestMs - OVERLAP_MS)
    const ended = await listEnded(database.platform, sinceMs, ENTRIES_MAXIMUM)
    known.add(ended)
    known.evict(nowMs - KEPT_MS)
    latestMs = Math.max(latestMs, ended[0]?.endedMs ?? 0)
    isLoaded = true
    resolveLoaded()
  }
  const keepLooking = async () => {
    while (!abort.signal.aborted) {
      // The pool has logged the error; retry.
      await look().catch(() => {})
      await bus.wait(isLoaded ? LOOK_MS : FIRST_LOOK_RETRY_MS, abort.signal)
    }
  }

  // Subscribe before reading, so that no end in between is missed.
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
    // The oldest entries expire first.
    for (const id of this.#sessions.keys()) {
      if (this.#sessions.size <= ENTRIES_MAXIMUM) break
      this.#sessions.delete(id)
    }
  }

  evict(beforeMs: number): void {
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
