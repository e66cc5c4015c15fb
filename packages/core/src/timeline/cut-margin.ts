/**
 * The time from a change to the first byte of any playlist that it may affect. The change reaches every node
 * within it, including 250 ms for clock differences.
 */
export const CUT_MARGIN_MS = 1_500
