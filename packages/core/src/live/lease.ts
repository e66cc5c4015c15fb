/** The right to write the log of one input of a source. It lies on the bus, under the name of the input. */
export interface Lease {
  /** The process that has it. */
  readonly holder: string
  /** Grows with every change of the holder. */
  readonly token: number
}

/** As it was read: when the broker stored it, by the broker's clock. */
export interface StoredLease extends Lease {
  readonly storedMs: number
}

/** A lease that was not renewed for so long is free. */
export const LEASE_MS = 6_000

/** How often a holder renews. Two renewals may fail before it is in doubt. */
export const RENEW_MS = 2_000

/** A holder that could not renew stops to write this long before others may begin: their clocks are not the broker's. */
export const DOUBT_MS = 1_500

export const isFree = (lease: StoredLease | undefined, brokerMs: number): boolean =>
  lease === undefined || brokerMs - lease.storedMs > LEASE_MS

/** Whether a holder may still write: `sinceMs` has passed on its own steady clock since it asked for the last renewal. */
export const mayWrite = (sinceMs: number): boolean => sinceMs < LEASE_MS - DOUBT_MS

/**
 * The token of the next holder. It is the broker's time where that is later, so that tokens grow even when the broker has
 * lost all leases.
 */
export const nextToken = (lease: Lease | undefined, brokerMs: number): number =>
  Math.max((lease?.token ?? 0) + 1, Math.floor(brokerMs))
