import { type FeedVersion, isNewer } from '@continuity/core/feed/feed-message'
import type { PubAck } from '@nats-io/jetstream'

/** The last update of each subject that this process has published. */
export interface OwnUpdates {
  /** The sequence of the last update, where one of this version may follow it. */
  after(subject: string, version: FeedVersion): number | undefined
  note(subject: string, version: FeedVersion, ack: PubAck): void
  drop(subject: string): void
}

/** More channels than one process plans within minutes; others are looked up. */
const MOST = 20_000

/**
 * While no other process publishes to a channel, its last update need not be read before the next one: the stream accepts
 * the next one only after the sequence known here. All are dropped with the connection, as the stream may be another.
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
      // Others may have published since the update that it repeats.
      if (duplicate) return
      if (known.size >= MOST) known.delete(known.keys().next().value!)
      known.set(subject, { sequence, version: { epoch, version } })
    },
    drop: (subject) => void known.delete(subject),
  }
}
