/**
 * The time from an order to the first byte that it may change on any node. A change reaches the nodes within it, and
 * 250 ms of it are for clocks that differ.
 */
export const GUARD_MS = 1_500
