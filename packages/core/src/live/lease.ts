/** The right to write the log of one input of a source. It lies on the bus, under the name of the input. */
export interface Lease {
  /** The process that has it. */
  readonly holder: string
  /** Grows with every change of the holder. */
  readonly token: number
}

/** The holder of a lease that was given back. */
export const RELEASED = ''

export const isHeld = ({ holder }: Lease): boolean => holder !== RELEASED

/** As it was read: when the broker stored it, by the broker's clock. */
export interface StoredLease extends Lease {
  readonly storedMs: number
}

/** A lease that was not renewed for so long is free. With the next slot and its first segment, another goes on within 10 s. */
export const LEASE_MS = 4_500

/** How often a holder renews. One renewal may fail before it is in doubt. */
export const RENEW_MS = 1_500

/** A holder that could not renew stops to write this long before others may begin: their clocks are not the broker's. */
export const DOUBT_MS = 1_500

/** How long until others may take a lease, if it is not renewed; 0 where they may. */
export const freeIn = (lease: StoredLease | undefined, brokerMs: number): number =>
  lease === undefined ? 0 : Math.max(0, lease.storedMs + LEASE_MS + 1 - brokerMs)

/** Whether a holder may still write: `sinceMs` has passed on its own steady clock since it asked for the last renewal. */
export const mayWrite = (sinceMs: number): boolean => sinceMs < LEASE_MS - DOUBT_MS

/**
 * The token of the next holder. It is the broker's time where that is later, so that tokens grow even when the broker has
 * lost all leases.
 */
export const nextToken = (lease: Lease | undefined, brokerMs: number): number =>
  Math.max((lease?.token ?? 0) + 1, Math.floor(brokerMs))
