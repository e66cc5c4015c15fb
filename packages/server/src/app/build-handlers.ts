import type { Handlers } from '../http/bind.ts'

/** The handlers of all modules. An operation that is in none of them answers 501. */
export function buildHandlers(): Handlers {
  return {}
}
