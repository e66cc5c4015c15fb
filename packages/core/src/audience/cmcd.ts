/** What a player tells of itself with a request, as far as counting needs it (CTA-5004, Common Media Client Data). */
export interface PlayerReport {
  /** By the state that version 2 sends (`sta`); null where none was sent. */
  readonly isPaused: boolean | null
  /** How much it has buffered (`bl`), in steps of 100 ms as the standard rounds it; null where it was not sent. */
  readonly bufferMs: number | null
}

export const noReport: PlayerReport = { isPaused: null, bufferMs: null }

/** Longer buffers are cut to this, so that steps of 100 ms fit into 16 bits with one value to spare. */
export const LONGEST_BUFFER_MS = 6_553_400

const BUFFER_STEP_MS = 100

/** Paused, ended, failed for good, quit, preloading: in all other states somebody watches, or waits for the picture. */
const IDLE_STATES = 'aefqd'

const QUOTED = /"(?:[^"\\]|\\.)*"/g
const STATE = /(?:^|,)\s*sta=([a-z])\s*(?:,|$)/
// Version 2 allows a list of one value for each type of object; the first is taken.
const BUFFER = /(?:^|,)\s*bl=\(?(\d{1,9})[^,]*(?:,|$)/

/** Reads the keys of one request: the decoded argument `CMCD`, or the values of its headers joined with commas. */
export const readCmcd = (text: string): PlayerReport => readKeys(keysIn(text))

/** A text of the player's own choice, such as a content id, may look like a key. */
export const keysIn = (text: string): string => (text.includes('"') ? text.replaceAll(QUOTED, '""') : text)

/** The same of a text without the player's own ones. */
export function readKeys(keys: string): PlayerReport {
  const state = STATE.exec(keys)?.[1]
  const buffer = BUFFER.exec(keys)?.[1]
  return {
    isPaused: state === undefined ? null : IDLE_STATES.includes(state),
    bufferMs: buffer === undefined ? null : roundBuffer(Number(buffer)),
  }
}

const roundBuffer = (ms: number): number =>
  Math.min(LONGEST_BUFFER_MS, Math.round(ms / BUFFER_STEP_MS) * BUFFER_STEP_MS)
