import { type FeedVersion, isNewer } from '@continuity/core/feed/feed-message'
import type { PubAck } from '@nats-io/jetstream'

/** What this process itself has published last to each subject. */
export interface OwnUpdates {
  /** The place of the last update, where one of a version may follow it. */
  after(subject: string, version: FeedVersion): number | undefined
  note(subject: string, version: FeedVersion, ack: PubAck): void
  forget(subject: string): void
}

/** Of more channels than one process plans within minutes; what is not known is looked up. */
const MOST = 20_000

/**
 * While no other process publishes to a channel, its last update need not be read before the next one: the stream takes that only
 * behind the one that is known here. With the connection all of it is dropped, as the stream may be another after it.
 */
export function rememberOwnUpdates(connectionLost: () => AbortSignal): OwnUpdates {
  const known = new Map<string, { readonly sequence: number; readonly version: FeedVersion }>()
  let lost = connectionLost()
  const check = () => {
    if (!lost.aborted) return
    known.clear()
    lost = connectionLost()
  }
  return {
    after(subject, version) {
      check()
      const last = known.get(subject)
      return last === undefined || isNewer(last.version, version) ? undefined : last.sequence
    },
    note(subject, { epoch, version }, { seq: sequence, duplicate }) {
      check()
      known.delete(subject)
      // Others may have published since the one that it repeats.
      if (duplicate) return
      if (known.size >= MOST) known.delete(known.keys().next().value!)
      known.set(subject, { sequence, version: { epoch, version } })
    },
    forget: (subject) => void known.delete(subject),
  }
}
