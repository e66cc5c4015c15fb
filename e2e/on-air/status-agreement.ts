/** What the API and a node returned for a channel at about the same time. */
export interface Look {
  /** Read before the playlist and after it, and the same both times. */
  readonly status: string
  /** What the clock showed before and after the playlist was requested. */
  readonly beforeMs: number
  readonly afterMs: number
  readonly answer: PlaylistAnswer
}

export type PlaylistAnswer =
  | { readonly kind: 'playlist'; readonly isEnded: boolean; readonly lastEndMs: number }
  | { readonly kind: 'error'; readonly code: string }

/** What was seen of a channel before a look. */
export interface Past {
  /** When it was first seen on the air since it was last seen off it, and the other way round. */
  readonly onSinceMs: number
  readonly offSinceMs: number
  /** Where the last segment ended that was listed. */
  readonly lastEndMs: number | undefined
}

/** As docs/interface/on-air.md and playlists.md have it. */
const PROPAGATION_MS = 1_500
const ENDED_MS = 60_000
const LONGEST_SEGMENT_MS = 3_200

/** How much the clocks of two processes may differ. */
const CLOCKS_MS = 250

export const isOn = (status: string): boolean => status === 'ON_AIR' || status === 'PENDING_OFFLINE'

/**
 * How the playlist of a channel contradicts its status; undefined where they agree.
 *
 * On the air: the playlist is served, is not marked as ended, and its last segment is the one that ended last. It may
 * take the propagation time to get there from being off the air, and none at all where a stop was taken back.
 *
 * Off the air: nothing was added since. The playlist is marked as ended one propagation time after its last segment, and
 * gone a minute after it.
 */
export function findDisagreement(look: Look, past: Past): string | undefined {
  const found = isOn(look.status) ? wrongOnAir(look, past) : wrongOffAir(look, past)
  return found === undefined ? undefined : `${look.status}: ${found}`
}

function wrongOnAir({ beforeMs, answer }: Look, { onSinceMs }: Past): string | undefined {
  if (beforeMs <= onSinceMs + PROPAGATION_MS + CLOCKS_MS) return undefined
  if (answer.kind === 'error') return `the playlist is ${answer.code}`
  if (answer.isEnded) return 'the playlist is marked as ended'
  const ageMs = beforeMs - answer.lastEndMs
  return ageMs > LONGEST_SEGMENT_MS + CLOCKS_MS ? `nothing was added for ${ageMs} ms` : undefined
}

function wrongOffAir({ beforeMs, afterMs, answer }: Look, past: Past): string | undefined {
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
