import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip, createZstdCompress } from 'node:zlib'
import type { Handlers } from '../../http/bind.ts'
import { chooseEncoding } from '../../http/compress.ts'
import { Overloaded } from '../../http/errors.ts'
import { StreamAnswer } from '../../http/stream-answer.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { AiredDeps } from '../schedule/read.ts'
import {
  type AudienceReport,
  analytics,
  audienceDays,
  channelStarts,
  componentMinutes,
  interstitials,
} from './audience-reports.ts'
import { readRange } from './day-range.ts'
import { TooManyReports } from './errors.ts'
import { audienceBody, type MinutesByMethod, scheduleBody } from './report-body.ts'
import type { ReportFormat } from './report-columns.ts'
import { createReportSlots } from './report-slots.ts'
import { componentSchedule, programSchedule, type ScheduleReport, scheduleRows } from './schedule-reports.ts'

export interface ReportDeps extends Pick<AiredDeps, 'loadLiveView'> {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

const DAYS_MAXIMUM = 92
/** By the minute. */
const MINUTE_DAYS_MAXIMUM = 8

/** A query that fails mostly does so at once; after this the response of a longer one begins. */
const FIRST_ROWS_MS = 500

/** A client that reads nothing for so long is disconnected: its report holds a connection and a database snapshot. */
const IDLE_MS = 120_000

/** Each holds a connection while it is read. */
const PER_ACCOUNT = 2
const PER_PROCESS = 8

/** Endpoint to use case. */
export function reportRoutes(deps: ReportDeps) {
  const slots = createReportSlots({ perAccount: PER_ACCOUNT, perProcess: PER_PROCESS })
  const audience = (call: ReportCall, report: AudienceReport, most = DAYS_MAXIMUM) => {
    const range = readRange(call.query, most)
    return answer(call, async (finish) => {
      const { accountId } = call.principal
      const snapshot = await deps.database.openSnapshot(accountId)
      finish.use(() => snapshot.close())
      const format = formatOf(call)
      return audienceBody(report, { range, format, accountId, snapshot, onMethods: finish.reportMethods })
    })
  }
  const schedule = (call: ReportCall, report: ScheduleReport, referenceId?: string) => {
    const range = readRange(call.query, DAYS_MAXIMUM)
    return answer(call, async () => {
      const { accountId } = call.principal
      const db = deps.database.forAccount(accountId)
      const rows = scheduleRows(report, { ...deps, db, accountId }, range, referenceId)
      return scheduleBody(report, rows, { range, format: formatOf(call) })
    })
  }
  /** Responds with a body that has begun; an earlier failure is an error response. */
  async function answer(call: ReportCall, open: (finish: Finish) => Promise<Body>): Promise<StreamAnswer> {
    const slot = slots.take(call.principal.accountId)
    if (slot === 'account_full') throw TooManyReports(PER_ACCOUNT)
    if (slot === 'process_full') throw Overloaded()
    const finish = createFinish(slot.release)
    try {
      const body = await open(finish)
      const head = await body.next()
      const next = body.next()
      next.catch(() => {}) // handled by the reader of `next`
      await Promise.race([next, new Promise((resolve) => setTimeout(resolve, FIRST_ROWS_MS).unref())])
      // The client is gone: the body would never be read.
      if (call.signal.aborted) throw call.signal.reason
      return streamed(call, head.value ?? '', next, body, finish)
    } catch (error) {
      finish.end()
      throw error
    }
  }
  function streamed(
    call: ReportCall,
    head: Buffer | string,
    next: Promise<IteratorResult<Buffer | string>>,
    body: Body,
    finish: Finish,
  ): StreamAnswer {
    const encoding = chooseEncoding(call.headers['accept-encoding'])
    const headers = {
      vary: 'Accept-Encoding',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    }
    return new StreamAnswer(
      contentTypes[formatOf(call)],
      ({ response }) => {
        finish.onMethods = (minutes) => response.addTrailers({ [METHODS_TRAILER]: printMethods(minutes) })
        response.setTimeout(IDLE_MS, () => response.destroy())
        response.once('close', finish.end)
        const source = Readable.from(rest(head, next, body))
        const through = encoding === undefined ? [] : [encoders[encoding]()]
        void pipeline([source, ...through, response]).catch((error: unknown) => {
          // A client that has gone is no fault. The response has begun, so the connection is closed.
          if (!isGone(error)) deps.logger.warn({ err: error, operation: call.operationId }, 'report aborted')
          response.destroy()
        })
        return () => {} // shutdown waits for it as for any request
      },
      { headers, trailer: METHODS_TRAILER, abandon: finish.end },
    )
  }

  return {
    reportAnalytics: (call) => {
      const { time_frame, include_countries } = call.query
      const most = time_frame === 'minute' ? MINUTE_DAYS_MAXIMUM : DAYS_MAXIMUM
      return audience(call, analytics(time_frame, include_countries), most)
    },
    reportInterstitials: (call) => audience(call, interstitials),
    reportProgramSchedules: (call) => schedule(call, programSchedule),
    reportComponentSchedules: (call) => schedule(call, componentSchedule, call.query.component_reference_id),
    reportChannelStarts: (call) => audience(call, channelStarts),
    reportComponentMinutes: (call) => audience(call, componentMinutes),
    reportAudience: (call) => audience(call, audienceDays(call.query.include_countries, call.nowMs)),
  } satisfies Handlers
}

interface ReportCall {
  readonly query: { readonly from: string; readonly to: string }
  readonly principal: { readonly accountId: string }
  readonly mediaType: string
  readonly operationId: string
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

type Body = AsyncGenerator<Buffer | string>

/** What is closed when a report ends, in whichever way. */
interface Finish {
  use(close: () => void): void
  readonly end: () => void
  readonly reportMethods: (minutes: MinutesByMethod) => void
  /** Set when the response has begun. */
  onMethods: (minutes: MinutesByMethod) => void
}

function createFinish(release: () => void): Finish {
  const closes = [release]
  const finish: Finish = {
    use: (close) => void closes.push(close),
    end() {
      for (const close of closes.splice(0)) close()
    },
    reportMethods: (minutes) => finish.onMethods(minutes),
    onMethods: () => {},
  }
  return finish
}

async function* rest(
  head: Buffer | string,
  next: Promise<IteratorResult<Buffer | string>>,
  body: Body,
): AsyncGenerator<Buffer | string> {
  if (head.length > 0) yield head
  const { value, done } = await next
  if (done === true) return
  if (value.length > 0) yield value
  yield* body
}

const contentTypes = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const satisfies Record<ReportFormat, string>

const formatOf = ({ mediaType }: Pick<ReportCall, 'mediaType'>): ReportFormat => {
  if (mediaType === 'text/csv') return 'csv'
  return mediaType === 'application/x-ndjson' ? 'ndjson' : 'json'
}

/** Level 1: the higher ones cost more than the report. */
const encoders = {
  gzip: () => createGzip({ level: 1 }),
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
}

const METHODS_TRAILER = 'Minutes-By-Method'

const printMethods = (minutes: MinutesByMethod): string =>
  Object.entries(minutes)
    .map(([method, value]) => `${method}=${value}`)
    .join(', ')

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
