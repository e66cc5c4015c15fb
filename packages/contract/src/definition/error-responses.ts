import type { Endpoint } from './endpoint.ts'

/** Every operation needs the database: the public ones to log in, the others for their account. */
const sharedByAll: Readonly<Record<string, number>> = { 'database.unavailable': 503 }

/** The key was used before with another request. */
const sharedByKeyed: Readonly<Record<string, number>> = { 'idempotency.key_reused': 422 }

/** Every error code of an operation for valid input: its own, and those that it shares. */
export function errorsOf(e: Endpoint): Readonly<Record<string, number>> {
  return { ...e.errors, ...(e.idempotencyKey === true ? sharedByKeyed : {}), ...sharedByAll }
}

/** Whether every operation may return it, so that it is not listed for each. */
export const isShared = (code: string): boolean => code in sharedByAll
