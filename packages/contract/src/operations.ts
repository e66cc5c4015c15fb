import type { Endpoint } from './endpoint.ts'
import * as ourCatalog from './ours/catalog.ts'
import * as ourChannels from './ours/channels.ts'
import * as ourIngest from './ours/ingest.ts'
import * as ourLiveSources from './ours/live-sources.ts'
import * as ourOperations from './ours/operations.ts'
import * as automation from './v2_1/automation.ts'
import * as catalog from './v2_1/catalog.ts'
import * as sessions from './v2_1/sessions.ts'
import * as channels from './v2_3/channels.ts'
import * as liveSources from './v2_3/live-sources.ts'
import * as reports from './v2_3/reports.ts'

const files = {
  ...sessions,
  ...catalog,
  ...ourCatalog,
  ...automation,
  ...ourIngest,
  ...channels,
  ...ourChannels,
  ...liveSources,
  ...ourLiveSources,
  ...reports,
  ...ourOperations,
}

type Files = typeof files

/** Every operation of the wire by its id. */
export type Operations = { [K in keyof Files as Files[K] extends Endpoint ? K : never]: Files[K] }
export type OperationId = keyof Operations

export const operations = Object.fromEntries(
  Object.entries(files).filter(([, value]) => 'id' in value),
) as unknown as Operations

export const operationList: readonly Endpoint[] = Object.values(operations)

/** Every declaration as it stands in its file, so that a test can see one that hides another. */
export const declarations: readonly Endpoint[] = [
  sessions,
  catalog,
  ourCatalog,
  automation,
  ourIngest,
  channels,
  ourChannels,
  liveSources,
  ourLiveSources,
  reports,
  ourOperations,
].flatMap((file) => Object.values(file).filter((value): value is Endpoint => 'id' in value))
