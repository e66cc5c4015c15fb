/** The right to write the log of one input of a source. Stored on the bus, under the name of the input. */
export interface Lease {
  /** The process that holds it. */
  readonly holder: string
  /** Grows with every change of the holder. */
  readonly token: number
}

/** The holder of a lease that was released. */
export const RELEASED = ''

export const isHeld = ({ holder }: Lease): boolean => holder !== RELEASED

/** As read, with the time at which the broker stored it, by the broker's clock. */
export interface StoredLease extends Lease {
  readonly storedMs: number
}

/**
 * A lease that was not renewed for this long is free. Including the next slot and its first segment, another
 * receiver takes over within 10 s.
 */
export const LEASE_MS = 4_500

/** How often a holder renews. One renewal may fail before the lease is in doubt. */
export const RENEW_MS = 1_500

/**
 * A holder that could not renew stops writing this long before others may begin: their clocks differ from the
 * broker's.
 */
export const DOUBT_MS = 1_500

/** How long until others may take a lease that is not renewed; 0 if they may now. */
export const freeIn = (lease: StoredLease | undefined, brokerMs: number): number =>
  lease === undefined ? 0 : Math.max(0, lease.storedMs + LEASE_MS + 1 - brokerMs)

/**
 * Whether a holder may still write: `sinceMs` is the time on its own monotonic clock since it requested the
 * last renewal.
 */
export const mayWrite = (sinceMs: number): boolean => sinceMs < LEASE_MS - DOUBT_MS

/**
 * The token of the next holder. It is at least the broker's time, so that tokens grow even if the broker has
 * lost all leases.
 */
export const nextToken = (lease: Lease | undefined, brokerMs: number): number =>
  Math.max((lease?.token ?? 0) + 1, Math.floor(brokerMs))
