import { decodeUpdate } from '@continuity/core/feed/feed-codec'
import type { FeedMessage } from '@continuity/core/feed/feed-message'

/** Undefined where the bytes are corrupt, also with a correct checksum. */
export function readUpdate(bytes: Uint8Array): FeedMessage | undefined {
  try {
    return decodeUpdate(bytes)
  } catch {
    return undefined
  }
}
