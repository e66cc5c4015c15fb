import type { Endpoint } from './definition/endpoint.ts'
import * as ourAlertRecipients from './ours/alert-recipients.ts'
import * as ourAudienceImport from './ours/audience-import.ts'
import * as ourCatalog from './ours/catalog.ts'
import * as ourChannels from './ours/channels.ts'
import * as ourIngest from './ours/ingest.ts'
import * as ourLiveSources from './ours/live-sources.ts'
import * as ourOperations from './ours/operations.ts'
import * as ourPlans from './ours/plans.ts'
import * as ourPrograms from './ours/programs.ts'
import * as ourSessions from './ours/sessions.ts'
import * as ourUsers from './ours/users.ts'
import * as ourWebhooks from './ours/webhooks.ts'
import * as automation from './v2_1/automation.ts'
import * as catalog from './v2_1/catalog.ts'
import * as sessions from './v2_1/sessions.ts'
import * as channels from './v2_3/channels.ts'
import * as liveSources from './v2_3/live-sources.ts'
import * as reports from './v2_3/reports.ts'

/** The files that declare operations. */
const files = [
  sessions,
  ourSessions,
  ourUsers,
  catalog,
  ourCatalog,
  automation,
  ourIngest,
  channels,
  ourChannels,
  ourPlans,
  ourPrograms,
  liveSources,
  ourLiveSources,
  reports,
  ourAudienceImport,
  ourOperations,
  ourWebhooks,
  ourAlertRecipients,
] as const

type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void
  ? I
  : never
type Files = Intersection<(typeof files)[number]>

/** Every operation of the wire by its id. */
export type Operations = { [K in keyof Files as Files[K] extends Endpoint ? K : never]: Files[K] }
export type OperationId = keyof Operations

/** Each declaration with the name that it is exported under; a test sees that none hides another. */
export const declarations: readonly (readonly [string, Endpoint])[] = files.flatMap((file) =>
  Object.entries(file).filter((entry): entry is [string, Endpoint] => 'id' in entry[1]),
)

export const operations = Object.fromEntries(declarations) as unknown as Operations

export const operationList: readonly Endpoint[] = Object.values(operations)
