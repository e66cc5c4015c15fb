import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Signed ids of viewing sessions. An id that no node minted, or that was minted for another output, is invalid. */
export interface SessionIds {
  mint(output: string, nowMs: number): string
  /** When it was minted; undefined where it is invalid. */
  read(sid: string, output: string, nowMs: number): number | undefined
  /** The key stored instead of the id: sessions in the database cannot be matched with ids in a log. */
  keyOf(sid: string): string
}

/** 6 bytes of time, 6 random bytes and 12 of the MAC, in base64url. */
const TIME_BYTES = 6
const HEAD_BYTES = 12
const MAC_BYTES = 12
const KEY_BYTES = 16
export const SID_LENGTH = 32

/** The characters of an id that encode its time. */
const TIME_LENGTH = 8

/** The lifetime of a session, so that collected ids cannot be used permanently. */
const LONGEST_MS = 48 * 3_600_000

/** Tolerance for clocks that differ between nodes. */
const AHEAD_MS = 60_000

/** The key is the same on all nodes, because another node may answer than the one that minted the id. */
export function createSessionIds(key: string): SessionIds {
  const macOf = (head: Buffer, output: string) =>
    createHmac('sha256', key).update(head).update(output).digest().subarray(0, MAC_BYTES)
  return {
    mint(output, nowMs) {
      const head = randomBytes(HEAD_BYTES)
      head.writeUIntBE(nowMs, 0, TIME_BYTES)
      return Buffer.concat([head, macOf(head, output)]).toString('base64url')
    },
    read(sid, output, nowMs) {
      const bytes = Buffer.from(sid, 'base64url')
      if (sid.length !== SID_LENGTH || bytes.length !== HEAD_BYTES + MAC_BYTES) return undefined
      const head = bytes.subarray(0, HEAD_BYTES)
      if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), macOf(head, output))) return undefined
      const mintedMs = mintedAt(sid)
      return mintedMs > nowMs + AHEAD_MS || mintedMs < nowMs - LONGEST_MS ? undefined : mintedMs
    },
    keyOf: (sid) =>
      createHmac('sha256', key)
        .update('stored')
        .update(sid)
        .digest()
        .subarray(0, KEY_BYTES)
        .toString('base64url'),
  }
}

/** When a valid id was minted. */
export const mintedAt = (sid: string): number =>
  Buffer.from(sid.slice(0, TIME_LENGTH), 'base64url').readUIntBE(0, TIME_BYTES)
