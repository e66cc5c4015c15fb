export const lanes = ['known', 'other'] as const
export type Lane = (typeof lanes)[number]

/** A hash that waits. Exactly one of the last three is called, once. */
export interface Try {
  readonly key: string
  readonly work: () => Promise<unknown>
  readonly done: (value: unknown) => void
  readonly fail: (error: unknown) => void
  readonly reject: () => void
}

export interface WaitingLine {
  /** Returns the entry that is rejected, if any: the new one, or the one that it displaces. */
  add(tried: Try): Try | undefined
  /** Removes the next entry whose key is not busy. */
  take(busy: ReadonlySet<string>): Try | undefined
  size(): number
}

/**
 * A bounded queue with round-robin over keys.
 *
 * When it is full, the key with the most entries loses its last one to a key that
 * has fewer: otherwise a flood for one key would lock out all others.
 */
export function createWaitingLine(capacity: number): WaitingLine {
  // The next key is first. A key is in the map while it has entries.
  const byKey = new Map<string, Try[]>()
  let size = 0

  const join = (tried: Try) => {
    const mine = byKey.get(tried.key)
    if (mine === undefined) byKey.set(tried.key, [tried])
    else mine.push(tried)
    size += 1
  }

  const longest = () => {
    let found: Try[] = []
    for (const tries of byKey.values()) if (tries.length > found.length) found = tries
    return found
  }

  return {
    add(tried) {
      if (size < capacity) {
        join(tried)
        return undefined
      }
      const most = longest()
      const mine = byKey.get(tried.key)?.length ?? 0
      // Displaces only if the other key still has at least as many; no key loses its only entry.
      if (mine >= most.length - 1) return tried
      const displaced = most.pop()
      size -= 1
      join(tried)
      return displaced
    },
    take(busy) {
      for (const [key, tries] of byKey) {
        if (busy.has(key)) continue
        byKey.delete(key)
        const next = tries.shift()
        if (tries.length > 0) byKey.set(key, tries)
        size -= 1
        return next
      }
      return undefined
    },
    size: () => size,
  }
}
