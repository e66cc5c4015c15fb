import * as httpErrors from '../http/errors.ts'
import * as accountErrors from '../modules/accounts/errors.ts'
import * as alertMailErrors from '../modules/alert-mails/errors.ts'
import * as audienceErrors from '../modules/audience/errors.ts'
import * as authErrors from '../modules/auth/records/errors.ts'
import * as breakErrors from '../modules/breaks/errors.ts'
import * as catalogErrors from '../modules/catalog/records/errors.ts'
import * as channelErrors from '../modules/channels/errors.ts'
import * as eventErrors from '../modules/events/errors.ts'
import * as ingestErrors from '../modules/ingest/errors.ts'
import * as liveErrors from '../modules/live/errors.ts'
import * as planErrors from '../modules/plans/errors.ts'
import * as playoutErrors from '../modules/playout/errors.ts'
import * as programErrors from '../modules/programs/errors.ts'
import * as reportErrors from '../modules/reports/errors.ts'
import * as scheduleErrors from '../modules/schedule/errors.ts'
import * as webhookErrors from '../modules/webhooks/errors.ts'
import * as clockErrors from '../platform/clock/errors.ts'
import { DatabaseUnavailable } from '../platform/database/database-errors.ts'
import * as recordErrors from '../platform/database/record-errors.ts'
import type { DocumentedError, ErrorKind } from '../platform/errors.ts'
import { remedyOf } from './error-remedies.ts'

/** The files that declare errors which are returned to callers. */
const files: readonly Readonly<Record<string, ErrorKind>>[] = [
  httpErrors,
  clockErrors,
  { DatabaseUnavailable },
  recordErrors,
  accountErrors,
  audienceErrors,
  authErrors,
  breakErrors,
  catalogErrors,
  channelErrors,
  eventErrors,
  ingestErrors,
  liveErrors,
  playoutErrors,
  planErrors,
  programErrors,
  reportErrors,
  scheduleErrors,
  webhookErrors,
  alertMailErrors,
]

/** Every error that is returned to callers, by status and code. */
export const errorTable: readonly DocumentedError[] = files
  .flatMap((file): ErrorKind[] => Object.values(file))
  .map(({ code, status, title }) => ({ code, status, title, remedy: remedyOf(code) ?? '' }))
  .toSorted((a, b) => a.status - b.status || a.code.localeCompare(b.code))
