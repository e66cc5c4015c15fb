export const lanes = ['known', 'other'] as const
export type Lane = (typeof lanes)[number]

/** A work that waits. One of the last three is called, once. */
export interface Try {
  readonly key: string
  readonly work: () => Promise<unknown>
  readonly done: (value: unknown) => void
  readonly fail: (error: unknown) => void
  readonly refuse: () => void
}

export interface WaitingLine {
  /** Gives whoever has no place now: nobody, the newcomer, or the one that gave way to it. */
  add(tried: Try): Try | undefined
  /** Takes out the one whose turn it is, passing over keys that are busy. */
  take(busy: ReadonlySet<string>): Try | undefined
  size(): number
}

/**
 * A bounded line in which keys, not tries, take turns.
 *
 * When it is full, the key with the most tries in it gives up its last one for
 * a key that has fewer: otherwise whoever fills the line for one key would
 * refuse all others.
 */
export function createWaitingLine(places: number): WaitingLine {
  // The key whose turn is next stands first. A key is here while it has tries.
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
      if (size < places) {
        join(tried)
        return undefined
      }
      const most = longest()
      const mine = byKey.get(tried.key)?.length ?? 0
      // A swap between neighbours in length would make nothing fairer; and no key loses its only try.
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
