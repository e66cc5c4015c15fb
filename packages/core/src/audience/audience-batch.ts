import type { ComponentType } from '../timeline/span.ts'
import { MINUTE_MS } from './component-cell.ts'

/** What a node has counted of one account since the previous batch. */
export interface AudienceBatch {
  readonly batchId: string
  readonly accountId: string
  readonly closedMs: number
  readonly rows: readonly AudienceRow[]
}

/** Sums of one component in one minute of its channel's time, for one distributor and country. */
export interface AudienceRow {
  readonly channelId: string
  readonly distributor: string
  readonly country: string
  readonly minuteMs: number
  readonly spanTicks: number
  readonly type: ComponentType
  readonly programId: string | null
  readonly component: number
  /** Watched milliseconds by method. */
  readonly cmcdV2Ms: number
  readonly cmcdV1Ms: number
  readonly heartbeatMs: number
  readonly starts: number
}

/** User-assigned in ISO 3166; here an address whose country is unknown. */
export const UNKNOWN_COUNTRY = 'ZZ'

/**
 * How far before its closing time a batch may contain watched time, and how far after it because of clock
 * errors.
 */
export const WATCHED_BEFORE_MS = 3 * 86_400_000
export const WATCHED_AFTER_MS = 3_600_000

const types: readonly string[] = [
  'VIDEO',
  'AD_POD',
  'INTERSTITIAL',
  'TIME_FILL',
  'LIVE',
  'SLATE',
] satisfies readonly ComponentType[]

const FORMAT = 1

/** One line of text. */
export function encodeBatch({ batchId, accountId, closedMs, rows }: AudienceBatch): string {
  const lists = rows.map((row) => [
    row.channelId,
    row.distributor,
    row.country,
    row.minuteMs,
    row.spanTicks,
    row.type,
    row.programId,
    row.component,
    row.cmcdV2Ms,
    row.cmcdV1Ms,
    row.heartbeatMs,
    row.starts,
  ])
  return JSON.stringify({ format: FORMAT, batch: batchId, account: accountId, closed: closedMs, rows: lists })
}

/** Undefined for anything that a node does not write: nodes are less trusted than the reader. */
export function decodeBatch(text: string): AudienceBatch | undefined {
  const parsed = parse(text)
  if (parsed === undefined || parsed['format'] !== FORMAT) return undefined
  const { batch, account, closed, rows } = parsed
  if (!isId(batch) || !isId(account) || !isCount(closed) || !Array.isArray(rows)) return undefined
  const decoded = rows.map((row: unknown) => decodeRow(row, closed))
  if (!decoded.every((row) => row !== undefined)) return undefined
  return { batchId: batch, accountId: account, closedMs: closed, rows: decoded }
}

function decodeRow(row: unknown, closedMs: number): AudienceRow | undefined {
  if (!Array.isArray(row) || row.length !== 12) return undefined
  const [channelId, distributor, country, minuteMs, spanTicks, type, programId, ...counts] = row as unknown[]
  const isRow =
    isId(channelId) &&
    isText(distributor) &&
    typeof country === 'string' &&
    /^[A-Z]{2}$/.test(country) &&
    isCount(minuteMs) &&
    minuteMs % MINUTE_MS === 0 &&
    minuteMs >= closedMs - WATCHED_BEFORE_MS &&
    minuteMs <= closedMs + WATCHED_AFTER_MS &&
    isCount(spanTicks) &&
    typeof type === 'string' &&
    types.includes(type) &&
    (programId === null || isText(programId)) &&
    counts.every(isCount)
  if (!isRow) return undefined
  const [component, cmcdV2Ms, cmcdV1Ms, heartbeatMs, starts] = counts as [
    number,
    number,
    number,
    number,
    number,
  ]
  return {
    channelId,
    distributor,
    country,
    minuteMs,
    spanTicks,
    type: type as ComponentType,
    programId,
    component,
    cmcdV2Ms,
    cmcdV1Ms,
    heartbeatMs,
    starts,
  }
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value)

/**
 * Longer than any distributor's name or program's id. Control characters would need escaping for the database.
 */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 200 && !/[\p{Cc}\\]/u.test(value)
