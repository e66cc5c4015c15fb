const HOUR_MS = 3_600_000

/** Channels per request: the timeline of each is loaded. */
export const AUDIENCE_CHANNELS = 200

/** Maximum age of watched content. Live logs and session ids are kept an hour longer. */
export const OLDEST_MS = 47 * HOUR_MS

/** A block covers an hour, and is deleted when the last of its lines is too old to be imported. */
export const BLOCKS_KEPT_MS = OLDEST_MS + HOUR_MS

/** The live log reaches the database within half a minute, so more recent lines are rejected. */
export const SETTLED_MS = 60_000
