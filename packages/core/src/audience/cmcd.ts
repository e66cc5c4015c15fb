/** What a player reports with a request, as far as counting needs it (CTA-5004, Common Media Client Data). */
export interface PlayerReport {
  /** By the state of version 2 (`sta`); null if not sent. */
  readonly isPaused: boolean | null
  /** Its buffer length (`bl`), rounded to 100 ms as in the standard; null if not sent. */
  readonly bufferMs: number | null
}

export const noReport: PlayerReport = { isPaused: null, bufferMs: null }

/** Longer buffers are cut to this, so that multiples of 100 ms fit into 16 bits with one value to spare. */
export const LONGEST_BUFFER_MS = 6_553_400

const BUFFER_STEP_MS = 100

/** Paused, ended, failed, quit, preloading: in all other states the viewer watches, or waits for the picture. */
const IDLE_STATES = 'aefqd'

const QUOTED = /"(?:[^"\\]|\\.)*"/g
const STATE = /(?:^|,)\s*sta=([a-z])\s*(?:,|$)/
// Version 2 allows a list with one value for each type of object; the first is used.
const BUFFER = /(?:^|,)\s*bl=\(?(\d{1,9})[^,]*(?:,|$)/

/**
 * Reads the keys of one request: the decoded query parameter `CMCD`, or the values of its headers joined with
 * commas.
 */
export const readCmcd = (text: string): PlayerReport => readKeys(keysIn(text))

/** Quoted text of the player, such as a content id, may look like a key. */
export const keysIn = (text: string): string => (text.includes('"') ? text.replaceAll(QUOTED, '""') : text)

/** The same for a text without quoted values. */
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
