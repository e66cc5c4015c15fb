import { type StoreFault, StoreUnavailable } from './store-unavailable.ts'

/** By the codes of the system. A limit on the size of files counts as a lack of room. */
const faults: Readonly<Record<string, StoreFault>> = {
  ENOSPC: 'store.full',
  EDQUOT: 'store.full',
  EFBIG: 'store.full',
  EROFS: 'store.read_only',
  EACCES: 'store.read_only',
  EPERM: 'store.read_only',
}

/** Does something to the store's own files: whatever the system has against it is a fault of the store. */
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

/** Whether there is no such file; a file where the path needs a folder is none either. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')
}

/** The system's name of an error; those of Node itself begin with ERR_ and are bugs. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined
}
