import type { Readable } from 'node:stream'

/**
 * The store of packaged media. An object is written once and never changes, so that any cache may keep it permanently.
 *
 * Every method rejects with StoreUnavailable when the store cannot do it now; the same call may succeed later.
 */
export interface MediaStore {
  /**
   * The object is not visible before it is complete, and durable when this has returned. Put again under the same key,
   * the first one stays.
   */
  put(key: string, body: MediaBody, signal?: AbortSignal): Promise<void>
  /** The metadata of an object; undefined where there is none. */
  find(key: string): Promise<StoredObject | undefined>
  has(key: string): Promise<boolean>
  /** Its bytes, or those of a range. The stream must be read or destroyed. */
  open(key: string, range?: ByteRange): Promise<OpenedObject | undefined>
  /** Removes everything under a prefix that ends with a slash: for unfinished packages. */
  removeAll(prefix: string): Promise<void>
  /** Writes a few bytes, because a full store may still be readable. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type MediaBody = { readonly file: string } | { readonly bytes: Uint8Array }

/** `[from, to)`. The end may be beyond the object's, the start may not. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

export interface StoredObject {
  /** Of the whole object, whatever range was requested. */
  readonly sizeBytes: number
  readonly lastModifiedMs: number
  /** A strong ETag, with its quotes. */
  readonly etag: string
}

export interface OpenedObject extends StoredObject {
  readonly stream: Readable
}
