import type { AnswerOf, Endpoint, Operations } from '@continuity/contract'
import { isForeign, ProblemError } from './problem-error.ts'
import { untilAborted } from './waiting.ts'

export type SessionAnswer = AnswerOf<Operations['login']>

/** What a client has to store to resume its session. */
export type Session = Pick<SessionAnswer, 'country' | 'device_id' | 'token'>

/**
 * One session through all its refreshes.
 *
 * A call keeps the line it began with. When another user logs in meanwhile there
 * is a new line, and the call is never repeated as that user.
 */
export interface SessionLine {
  session: Session | undefined // written by the keeper only; undefined once the session has ended
  renewal: Promise<void> | undefined // the refresh in flight; written by `renew` only
}

export interface SessionKeeper {
  readonly line: SessionLine
  /** Begins a new line. */
  open(answer: SessionAnswer): void
  /** Continues the line of the same device, if that is the current one; else begins a new one. */
  resume(answer: SessionAnswer): void
  clear(): void
  /** The session to use instead of one that was rejected; undefined if there is none. */
  renew(line: SessionLine, rejected: Session, signal: AbortSignal | undefined): Promise<Session | undefined>
}

export function createSessionKeeper(
  restored: Session | undefined,
  onSession: (session: Session | undefined) => void,
  refresh: (tokenRefresh: string) => Promise<SessionAnswer>,
): SessionKeeper {
  let current = lineOf(restored)

  function write(session: Session | undefined): void {
    current.session = session
    onSession(session)
  }

  function open(answer: SessionAnswer): void {
    current.session = undefined // ends the old line for calls in flight
    current = lineOf(undefined)
    write(keptOf(answer))
  }

  async function refreshLine(line: SessionLine, session: Session): Promise<void> {
    const successor = await refresh(session.token.token_refresh).then(keptOf, undefinedIfEnded)
    // Unless the session was cleared, replaced or renewed by the caller meanwhile.
    if (line.session === session) write(successor)
  }

  return {
    get line() {
      return current
    },

    open,

    resume(answer) {
      if (current.session?.device_id === answer.device_id) write(keptOf(answer))
      else open(answer)
    },

    clear() {
      if (current.session !== undefined) write(undefined)
    },

    async renew(line, rejected, signal) {
      if (line.session === rejected) {
        line.renewal ??= refreshLine(line, rejected).finally(() => {
          line.renewal = undefined
        })
        await untilAborted(line.renewal, signal)
      }
      return line.session
    },
  }
}

export const isSessionOperation = ({ id }: Endpoint): boolean =>
  id === 'login' || id === 'registerDevice' || id === 'refreshSession'

export function isSessionAnswer(value: unknown): value is SessionAnswer {
  if (typeof value !== 'object' || value === null || !('device_id' in value) || !('token' in value))
    return false
  const { device_id, token } = value
  if (typeof device_id !== 'string' || typeof token !== 'object' || token === null) return false
  return 'token_access' in token && 'token_refresh' in token
}

/** A 401 of the service to a refresh ends the session; any other failure, also a proxy's 401, does not. */
function undefinedIfEnded(error: unknown): undefined {
  if (error instanceof ProblemError && error.status === 401 && !isForeign(error)) return undefined
  throw error
}

const lineOf = (session: Session | undefined): SessionLine => ({ session, renewal: undefined })

const keptOf = ({ country, device_id, token }: SessionAnswer): Session => ({ country, device_id, token })
