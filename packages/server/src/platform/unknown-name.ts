import type { AppErrorOptions } from './errors.ts'

/** What is told of a body that names a record which is not there: the field, and what it should have named. */
export function namesNone(
  field: string,
  what: string,
): { readonly detail: string; readonly options: AppErrorOptions } {
  const fault = { pointer: `/${field}`, code: 'unknown', message: `names no ${what} of the account` }
  return { detail: `${field} ${fault.message}`, options: { faults: [fault] } }
}
