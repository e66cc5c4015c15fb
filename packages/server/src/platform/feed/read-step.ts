import { decodeStep } from '@continuity/core/feed/feed-codec'
import type { FeedMessage } from '@continuity/core/feed/feed-message'

/** Undefined where bytes are spoilt; also where their sum is right and they are no step all the same. */
export function readStep(bytes: Uint8Array): FeedMessage | undefined {
  try {
    return decodeStep(bytes)
  } catch {
    return undefined
  }
}
