import { UNKNOWN_COUNTRY } from '@continuity/core/audience/audience-batch'
import { noReport, readCmcd } from '@continuity/core/audience/cmcd'
import type { LoggedHeartbeat } from '@continuity/core/audience/heartbeat-block'
import type { SessionIds } from '../../platform/crypto/viewing-session-ids.ts'
import type { Output } from '../channels/index.ts'
import { OLDEST_MS, SETTLED_MS } from './import-limits.ts'

/** A request for a media playlist in an access log. */
export interface LogLine {
  readonly timeMs: number
  readonly channelId: string
  readonly distributor: string
  readonly sid: string
  readonly shiftMs: number
  readonly cmcd: string | undefined
  readonly country: string | undefined
}

export const reasons = [
  'invalid_session',
  'unknown_output',
  'counted_by_nodes',
  'too_old',
  'too_recent',
] as const

/** Why a line is not counted. */
export type IgnoreReason = (typeof reasons)[number]

/** Lines of one viewing session. */
export interface LoggedSession {
  /** The key under which it is stored. */
  readonly key: string
  readonly mintedMs: number
  readonly output: Output
  readonly heartbeats: LoggedHeartbeat[]
}

export interface ReadLines {
  readonly sessions: readonly LoggedSession[]
  readonly lines: number
  readonly ignored: Readonly<Record<IgnoreReason, number>>
}

/** Groups lines by session, and drops those that cannot be counted. */
export function readLines(
  lines: readonly LogLine[],
  outputs: readonly Output[],
  ids: SessionIds,
  nowMs: number,
): ReadLines {
  const named = new Map(outputs.map((output) => [nameOf(output), output]))
  const ignored = { invalid_session: 0, unknown_output: 0, counted_by_nodes: 0, too_old: 0, too_recent: 0 }
  const sessions = new Map<string, LoggedSession>()
  let counted = 0
  for (const line of lines) {
    const output = named.get(nameOf(line))
    const reason = reasonAgainst(line, output, nowMs)
    if (reason !== undefined || output === undefined) {
      ignored[reason ?? 'unknown_output'] += 1
      continue
    }
    // Checked for every line: an id may be used on another output, or have expired.
    const mintedMs = ids.read(line.sid, nameOf(line), line.timeMs)
    if (mintedMs === undefined) {
      ignored.invalid_session += 1
      continue
    }
    let session = sessions.get(line.sid)
    if (session === undefined) {
      session = { key: ids.keyOf(line.sid), mintedMs, output, heartbeats: [] }
      sessions.set(line.sid, session)
    }
    session.heartbeats.push(heartbeatOf(line))
    counted += 1
  }
  return { sessions: [...sessions.values()], lines: counted, ignored }
}

const nameOf = ({ channelId, distributor }: Pick<LogLine, 'channelId' | 'distributor'>) =>
  `${channelId}/${distributor}`

function reasonAgainst(
  { timeMs, shiftMs }: LogLine,
  output: Output | undefined,
  nowMs: number,
): IgnoreReason | undefined {
  if (output === undefined) return 'unknown_output'
  if (output.audienceSource !== 'LOGS' || timeMs < output.audienceFromMs) return 'counted_by_nodes'
  if (timeMs - shiftMs - output.delayMs < nowMs - OLDEST_MS) return 'too_old'
  return timeMs > nowMs - SETTLED_MS ? 'too_recent' : undefined
}

/** Stored records hold shifts in these steps; nodes reject other values. */
const SHIFT_STEP_MS = 10_000

const heartbeatOf = ({ timeMs, shiftMs, cmcd, country }: LogLine): LoggedHeartbeat => ({
  atMs: timeMs,
  shiftMs: shiftMs - (shiftMs % SHIFT_STEP_MS),
  ...(cmcd === undefined ? noReport : readCmcd(cmcd)),
  country: country ?? UNKNOWN_COUNTRY,
})
