import type { DueHandler } from '../../platform/due/sweeper.ts'
import { makeDefaultMedia } from './make-default-media.ts'
import { removeOldScratch } from './scratch.ts'
import { closeScratchAlert } from './store-alert.ts'

export const assetJobs = { make_default_media: makeDefaultMedia } as const

export const assetDue = { close_scratch_alert: closeScratchAlert } as const satisfies Record<
  string,
  DueHandler
>

export { removeOldScratch }
