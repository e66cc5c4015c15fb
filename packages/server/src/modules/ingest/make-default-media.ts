import { GOP_MS } from '@continuity/core/packaging/house-format'
import type { SlateKind } from '@continuity/core/packaging/slate-picture'
import { actorOf } from '../../platform/jobs/actor-of.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import type { NoData } from '../../platform/jobs/job-map.ts'
import { createVideo } from '../catalog/index.ts'
import { findSlate } from './asset-store.ts'
import { createAsset, requireAsset } from './process-request.ts'

/** How long each is before it begins again: 64 and 32 s. */
export const slateGops: Readonly<Record<SlateKind, number>> = { rescue: 40, time_fill: 20, ad: 20 }

const titles: Readonly<Record<SlateKind, string>> = {
  rescue: 'Rescue slate',
  time_fill: 'Time fill',
  ad: 'Ad slate',
}

/**
 * Makes the slates that an account begins with, so that its first channel can
 * start, and again those that an earlier version made without segments of a slot. Their videos have no name of a partner's,
 * so that no partner can hand over another in their place.
 */
export const makeDefaultMedia: JobHandler<NoData> = async (run) => {
  const { accountId } = actorOf(run)
  await run.finish(async (tx, nowMs) => {
    const actor = actorOf(run, nowMs)
    for (const kind of Object.keys(titles) as SlateKind[]) {
      const madeFrom = `slate:${kind}`
      const known = await findSlate(tx, accountId, madeFrom)
      if (known?.isOutdated === false) continue
      if (known !== undefined) {
        await createAsset(tx, actor, { videoId: known.videoId, madeFrom, imageUrl: null })
        continue
      }
      const draft = {
        title: titles[kind],
        duration: (slateGops[kind] * GOP_MS) / 1_000,
        content_type: 'SLATE',
      }
      const { videoId } = await createVideo(tx, actor, { ...draft, status: 'PROCESSING' })
      await requireAsset(tx, actor, { videoId, madeFrom, imageUrl: null })
    }
  })
}
