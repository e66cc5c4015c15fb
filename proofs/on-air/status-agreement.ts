/** The answers of the API and a node for a channel at about the same time. */
export interface Observation {
  /** Read before and after the playlist, with the same result. */
  readonly status: string
  /** The clock before and after the request for the playlist. */
  readonly beforeMs: number
  readonly afterMs: number
  readonly answer: PlaylistAnswer
}

export type PlaylistAnswer =
  | { readonly kind: 'playlist'; readonly isEnded: boolean; readonly lastEndMs: number }
  | { readonly kind: 'error'; readonly code: string }

/** The history of a channel before an observation. */
export interface Past {
  /** When it was first on air after being off air, and vice versa. */
  readonly onSinceMs: number
  readonly offSinceMs: number
  /** The end of the last listed segment. */
  readonly lastEndMs: number | undefined
}

/** From docs/interface/on-air.md and playlists.md. */
const PROPAGATION_MS = 1_500
const ENDED_MS = 60_000
const LONGEST_SEGMENT_MS = 3_200

/** Tolerance between the clocks of two processes. */
const CLOCKS_MS = 250

export const isOn = (status: string): boolean => status === 'ON_AIR' || status === 'PENDING_OFFLINE'

/**
 * How the playlist of a channel contradicts its status; undefined if they agree.
 *
 * On air: the playlist is served, is not marked as ended, and its last segment is the one that ended last. After being
 * off air this may take the propagation time; after a cancelled stop it must hold at once.
 *
 * Off air: nothing was added since. The playlist is marked as ended one propagation time after its last segment, and
 * gone a minute after it.
 */
export function findDisagreement(seen: Observation, past: Past): string | undefined {
  const found = isOn(seen.status) ? wrongOnAir(seen, past) : wrongOffAir(seen, past)
  return found === undefined ? undefined : `${seen.status}: ${found}`
}

function wrongOnAir({ beforeMs, answer }: Observation, { onSinceMs }: Past): string | undefined {
  if (beforeMs <= onSinceMs + PROPAGATION_MS + CLOCKS_MS) return undefined
  if (answer.kind === 'error') return `the playlist is ${answer.code}`
  if (answer.isEnded) return 'the playlist is marked as ended'
  const ageMs = beforeMs - answer.lastEndMs
  return ageMs > LONGEST_SEGMENT_MS + CLOCKS_MS ? `nothing was added for ${ageMs} ms` : undefined
}

function wrongOffAir({ beforeMs, afterMs, answer }: Observation, past: Past): string | undefined {
  if (answer.kind === 'error') {
    if (answer.code !== 'channel.offline') return `the playlist is ${answer.code}`
    const goneMs = (past.lastEndMs ?? Number.NEGATIVE_INFINITY) + ENDED_MS
    return afterMs + CLOCKS_MS < goneMs ? `the playlist is gone ${goneMs - afterMs} ms too early` : undefined
  }
  const { isEnded, lastEndMs } = answer
  if (lastEndMs > past.offSinceMs + CLOCKS_MS) return `${lastEndMs - past.offSinceMs} ms were added since`
  if (!isEnded && beforeMs > lastEndMs + PROPAGATION_MS + CLOCKS_MS)
    return `the playlist is not marked as ended after ${beforeMs - lastEndMs} ms`
  if (isEnded && afterMs + CLOCKS_MS < lastEndMs + PROPAGATION_MS)
    return `the playlist is marked as ended ${afterMs - lastEndMs} ms after its last segment`
  if (beforeMs > lastEndMs + ENDED_MS + CLOCKS_MS) return 'the playlist is still served after a minute'
  return undefined
}
