import { randomBytes } from 'node:crypto'
import { operations } from '@continuity/contract'
import type { LightMyRequestResponse } from 'fastify'
import { buildApi } from '../../http/build-api.ts'
import { serverOptions } from '../../http/testing/a-server.ts'
import { aCapturedLog, type CapturedLog } from '../../http/testing/captured-log.ts'
import {
  createHashLanes,
  createVerifiedCredentials,
  type SigningKey,
  watchEndedCredentials,
} from '../../modules/auth/index.ts'
import { openEventStreams } from '../../modules/events/index.ts'
import { loadLiveView } from '../../modules/live/read.ts'
import { createPlanner } from '../../modules/plans/index.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import { createBrokerClock } from '../../platform/clock/broker-time.ts'
import { createPageCursors } from '../../platform/crypto/page-cursor.ts'
import { createSecretBox } from '../../platform/crypto/secret-box.ts'
import type { Database } from '../../platform/database/database.ts'
import { openFeedPublisher } from '../../platform/feed/feed-publisher.ts'
import { createLatestReader } from '../../platform/live-bus/read-latest.ts'
import { buildHandlers } from '../build-handlers.ts'
import { errorTable } from '../error-table.ts'

export interface TestProcess extends AsyncDisposable {
  readonly log: CapturedLog
  /** Passwords checked by logins. */
  hashes(): number
  /** Calls an operation by its id. */
  send(operationId: keyof typeof operations, request?: TestRequest): Promise<LightMyRequestResponse>
}

export interface TestRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The client address that the trusted proxy of all tests sends. */
  readonly address?: string
}

export interface TestProcessOptions {
  readonly database: Database
  readonly bus: Bus
  readonly key: SigningKey
  /** Shared by all processes of a test, which moves it. */
  readonly clock: { nowMs: number }
}

/** A complete API process, with sessions, inside the test and with a clock that does not move. */
export async function aProcess({ database, bus, key, clock }: TestProcessOptions): Promise<TestProcess> {
  const log = aCapturedLog()
  const readClock = () => clock.nowMs
  const ended = watchEndedCredentials({ database, bus, clock: readClock, logger: log.logger })
  const keys = new Map([[key.kid, key]])
  const secret = randomBytes(32)
  let hashes = 0
  const options = serverOptions(log, { trustedProxies: ['127.0.0.1'] })
  const eventStreams = openEventStreams(database, { perAccount: 10, perProcess: 10 }, options.metrics)
  const { server } = buildApi({
    errors: errorTable,
    ...options,
    clock: readClock,
    verifyCredential: createVerifiedCredentials({ keys: () => keys, isEnded: ended.isEnded, capacity: 1_000 })
      .verify,
    dependencies: [],
    checkAnswers: true,
    deadlineMs: 60_000,
    handlers: buildHandlers({
      database,
      clock: readClock,
      logger: log.logger,
      publisher: openFeedPublisher(bus, { replicas: 1, logger: log.logger }),
      loadLiveView,
      bus,
      readBrokerMs: createBrokerClock(bus, 1),
      eventStreams,
      readLatest: createLatestReader(bus),
      hashLanes: createHashLanes({ parallel: 2, waiting: 50 }),
      countHash: () => {
        hashes += 1
      },
      ended,
      signingKey: () => key,
      pageCursors: createPageCursors(() => [secret]),
      isMailOn: true,
      secretBox: createSecretBox([secret]),
      viewingKey: 'viewing-key-of-tests',
      mediaBase: 'https://media.example/',
      countryHeader: 'x-country',
      ipCountries: undefined,
      planner: createPlanner(),
    }),
  })
  await server.ready()
  await ended.loaded

  return {
    log,
    hashes: () => hashes,
    send: (operationId, { params = {}, query = {}, body, headers = {}, address } = {}) => {
      const { method, path, version } = operations[operationId]
      const fill = (_: string, name: string) => encodeURIComponent(params[name] ?? 'none')
      return server.inject({
        method,
        url: `/api/${version}${path.replaceAll(/\{(\w+)\}/g, fill)}`,
        query: { ...query },
        headers: { ...headers, ...(address === undefined ? {} : { 'x-forwarded-for': address }) },
        ...(body === undefined ? {} : { payload: body as object }),
      })
    },
    async [Symbol.asyncDispose]() {
      await eventStreams.close()
      await server.close()
      await ended.close()
    },
  }
}
