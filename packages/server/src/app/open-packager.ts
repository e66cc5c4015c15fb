import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { type PackagerDeps, removeOldScratch } from '../modules/ingest/jobs.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { ConfigOf } from '../platform/config/read-config.ts'
import { createGuard } from '../platform/guarded-fetch/guarded-client.ts'
import type { Logger } from '../platform/logger.ts'
import { openMediaStore } from '../platform/media-store/open-media-store.ts'
import { createProgramRunner } from '../platform/programs/run-program.ts'
import { ladderOf } from './media-settings.ts'
import type { workerSettings } from './worker-settings.ts'

/** No try comes back to what it left so long ago: it was taken over on another machine, or given up. */
const SCRATCH_KEPT_MS = 7 * 86_400_000
const CLEAR_EVERY_MS = 3_600_000

export interface OpenedPackager {
  readonly deps: PackagerDeps
  close(): Promise<void>
}

/** What a worker needs to make assets. */
export async function openPackager(
  config: ConfigOf<typeof workerSettings>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<OpenedPackager> {
  const { scratchFolder, encoderPreset: preset, fetchLimitBytes, fetchLimitMs, programPath } = config
  const guard = createGuard({ allow: config.outboundAllow })
  const store = await openMediaStore(config)
  const clear = () =>
    removeOldScratch(scratchFolder, Date.now() - SCRATCH_KEPT_MS).catch((error: unknown) =>
      logger.warn({ err: error }, 'old scratch folders could not be removed'),
    )
  await clear()
  const clearing = setInterval(clear, CLEAR_EVERY_MS)
  return {
    deps: {
      guard,
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
      await Promise.all([guard.close(), store.close()])
    },
  }
}
