import { type StoreFault, StoreUnavailable } from './store-unavailable.ts'

/** By error code. A file size limit counts as a full disk. */
const faults: Readonly<Record<string, StoreFault>> = {
  ENOSPC: 'store.full',
  EDQUOT: 'store.full',
  EFBIG: 'store.full',
  EROFS: 'store.read_only',
  EACCES: 'store.read_only',
  EPERM: 'store.read_only',
}

/** Wraps operations on the store's own files: a system error becomes a fault of the store. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw toDiskFault(error)
  }
}

export function toDiskFault(error: unknown): unknown {
  const code = codeOf(error)
  return code === undefined ? error : new StoreUnavailable(faults[code] ?? 'store.unreachable', error)
}

/** Whether the file does not exist, including a path through a file. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')
}

/** The error code of the system; codes of Node itself begin with ERR_ and are bugs. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined
}
