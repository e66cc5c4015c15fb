import { StoreUnavailable } from './store-unavailable.ts'

/** Asks the store; what is not an answer to the question is a fault of the store. */
export async function onS3<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work
  } catch (error) {
    // Given up by the caller, who is told its own reason.
    signal?.throwIfAborted()
    throw toS3Fault(error)
  }
}

/** The client has tried a few times by then, so that every error may be called the store's. */
function toS3Fault(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !(error instanceof Error)) return error
  const status = statusOf(error)
  if (FULL.has(error.name) || status === 507) return new StoreUnavailable('store.full', error)
  if (error.name === 'AccessDenied') return new StoreUnavailable('store.read_only', error)
  return new StoreUnavailable('store.unreachable', error)
}

/** Ceph says the first. */
const FULL = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage'])

/** Undefined when there was no answer at all. */
export function statusOf(error: unknown): number | undefined {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: number } }
  return $metadata?.httpStatusCode
}
