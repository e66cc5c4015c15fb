import type { Readable } from 'node:stream'

/**
 * Where packaged media lies. An object is written once and never changes, so
 * that any cache may keep it for ever.
 *
 * Every method rejects with StoreUnavailable when the store cannot do it now;
 * the same call may succeed later.
 */
export interface MediaStore {
  /**
   * Nobody sees the object before it is whole, and when this has returned it
   * outlives a power cut. Put again under the same key, the first stays.
   */
  put(key: string, body: MediaBody, signal?: AbortSignal): Promise<void>
  /** What is known of an object without reading it; undefined where there is none. */
  find(key: string): Promise<StoredObject | undefined>
  has(key: string): Promise<boolean>
  /** Its bytes, or those of a range. The stream has to be read or destroyed. */
  open(key: string, range?: ByteRange): Promise<OpenedObject | undefined>
  /** Everything under a prefix that ends with a slash: for what was begun and is of no use. */
  removeAll(prefix: string): Promise<void>
  /** Writes a little, because a store that can be read may be full all the same. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type MediaBody = { readonly file: string } | { readonly bytes: Uint8Array }

/** `[from, to)`. The end may lie beyond the object's, the beginning may not. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

export interface StoredObject {
  /** Of the whole object, whatever range was asked for. */
  readonly sizeBytes: number
  readonly lastModifiedMs: number
  /** A strong one, with its quotes. */
  readonly etag: string
}

export interface OpenedObject extends StoredObject {
  readonly stream: Readable
}
