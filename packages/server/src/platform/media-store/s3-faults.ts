import { StoreUnavailable } from './store-unavailable.ts'

/** Wraps requests to the store: an error becomes a fault of the store. */
export async function onS3<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work
  } catch (error) {
    // Aborted by the caller: its own reason is thrown.
    signal?.throwIfAborted()
    throw toS3Fault(error)
  }
}

/** The client has retried by then, so every error is considered the store's. */
function toS3Fault(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !(error instanceof Error)) return error
  const status = statusOf(error)
  if (FULL.has(error.name) || status === 507) return new StoreUnavailable('store.full', error)
  if (error.name === 'AccessDenied') return new StoreUnavailable('store.read_only', error)
  return new StoreUnavailable('store.unreachable', error)
}

/** The first is Ceph's. */
const FULL = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage'])

/** Undefined when there was no answer. */
export function statusOf(error: unknown): number | undefined {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: number } }
  return $metadata?.httpStatusCode
}
