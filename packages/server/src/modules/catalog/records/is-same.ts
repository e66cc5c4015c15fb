import { isDeepStrictEqual } from 'node:util'

/** Whether a record has every one of these values already. */
export const isSame = <T extends object>(record: T, changes: Partial<T>): boolean =>
  isDeepStrictEqual({ ...record, ...changes }, record)
