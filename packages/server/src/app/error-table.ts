import * as httpErrors from '../http/errors.ts'
import type { ErrorKind } from '../platform/errors.ts'

/** Every error that a caller can meet, by code. Each module adds its own here. */
export const errorTable: readonly ErrorKind[] = [httpErrors]
  .flatMap((file): ErrorKind[] => Object.values(file))
  .map(({ code, status, title }) => ({ code, status, title }))
  .toSorted((a, b) => a.status - b.status || a.code.localeCompare(b.code))
