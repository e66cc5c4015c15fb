import type { Endpoint } from './endpoint.ts'

/** Every operation needs the database: the public ones to log in, the others for their account. */
const sharedByAll: Readonly<Record<string, number>> = { 'database.unavailable': 503 }

/** A key that came before with another request: answering as before would be wrong, and so would a second effect. */
const sharedByKeyed: Readonly<Record<string, number>> = { 'idempotency.key_reused': 422 }

/** Every stable code that an operation refuses with once its input is right: its own, and what it shares. */
export function refusalsOf(e: Endpoint): Readonly<Record<string, number>> {
  return { ...e.refusals, ...(e.idempotencyKey === true ? sharedByKeyed : {}), ...sharedByAll }
}

/** Whether every operation has it, so that naming it beside each would tell nothing. */
export const isShared = (code: string): boolean => code in sharedByAll
