import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { PackagerDeps } from '../modules/assets/index.ts'
import { removeOldScratch } from '../modules/assets/jobs.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { ConfigOf } from '../platform/config/read-config.ts'
import type { Logger } from '../platform/log/logger.ts'
import { openMediaStore } from '../platform/media-store/open-media-store.ts'
import { createOutboundClient } from '../platform/outbound/outbound-client.ts'
import { createProgramRunner } from '../platform/programs/run-program.ts'
import { ladderOf } from './media-settings.ts'
import type { workerSettings } from './worker-settings.ts'

/** No attempt returns to older files: it was taken over on another machine, or given up. */
const SCRATCH_KEPT_MS = 7 * 86_400_000
const CLEAR_EVERY_MS = 3_600_000

export interface OpenedPackager {
  readonly deps: PackagerDeps
  close(): Promise<void>
}

/** What a worker needs to package assets. */
export async function openPackager(
  config: ConfigOf<typeof workerSettings>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<OpenedPackager> {
  const { scratchFolder, encoderPreset: preset, fetchLimitBytes, fetchLimitMs, programPath } = config
  const outboundClient = createOutboundClient({ allow: config.outboundAllow })
  const store = await openMediaStore(config)
  const clear = () =>
    removeOldScratch(scratchFolder, Date.now() - SCRATCH_KEPT_MS).catch((error: unknown) =>
      logger.warn({ err: error }, 'could not remove old scratch folders; retrying in an hour'),
    )
  await clear()
  const clearing = setInterval(clear, CLEAR_EVERY_MS)
  return {
    deps: {
      outboundClient,
      store,
      packaging: { runProgram: createProgramRunner({ path: programPath, logger }) },
      scratchFolder,
      scratchName: `${hostname()}:${resolve(scratchFolder)}`,
      ladder: ladderOf(config),
      preset,
      fetchLimit: { bytes: fetchLimitBytes, ms: fetchLimitMs },
      clock,
    },
    async close() {
      clearInterval(clearing)
      await Promise.all([outboundClient.close(), store.close()])
    },
  }
}
