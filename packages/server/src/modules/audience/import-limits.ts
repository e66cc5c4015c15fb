const HOUR_MS = 3_600_000

/** Each is a timeline to load. */
export const AUDIENCE_CHANNELS = 200

/** How old what was watched may be. Logs of live sources, and session ids, are kept for an hour longer. */
export const OLDEST_MS = 47 * HOUR_MS

/** Blocks are of an hour each, and go when the last of their lines is too old to be imported. */
export const BLOCKS_KEPT_MS = OLDEST_MS + HOUR_MS

/** What live sources have brought is in the database half a minute later at most. */
export const SETTLED_MS = 60_000
