export type StoreFault = 'store.full' | 'store.read_only' | 'store.unreachable'

const sentences: Readonly<Record<StoreFault, string>> = {
  'store.full': 'The media store is full',
  'store.read_only': 'The media store is read-only',
  'store.unreachable': 'The media store is unreachable',
}

/** The store cannot do it now. Nothing was left behind, and the same call may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly code: StoreFault

  constructor(code: StoreFault, cause: unknown) {
    super(`${sentences[code]}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.code = code
  }
}
