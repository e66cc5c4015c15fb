import type { AppErrorOptions } from './errors.ts'

/** The detail and fault of a body that names a record that does not exist. */
export function unknownRecord(
  field: string,
  what: string,
): { readonly detail: string; readonly options: AppErrorOptions } {
  const fault = { pointer: `/${field}`, code: 'unknown', message: `names no ${what} of the account` }
  return { detail: `${field} ${fault.message}`, options: { faults: [fault] } }
}
