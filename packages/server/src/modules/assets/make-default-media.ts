import { GOP_MS } from '@continuity/core/media/house-format'
import type { SlateKind } from '@continuity/core/packaging/slate-picture'
import { actorOf } from '../../platform/jobs/actor-of.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import type { NoData } from '../../platform/jobs/job-map.ts'
import { createVideo } from '../catalog/index.ts'
import { findSlate } from './asset-store.ts'
import { createAsset, requireAsset } from './create-asset.ts'

/** Their lengths before they repeat: 64 and 32 s. */
export const slateGops: Readonly<Record<SlateKind, number>> = { rescue: 40, time_fill: 20, ad: 20 }

const titles: Readonly<Record<SlateKind, string>> = {
  rescue: 'Rescue slate',
  time_fill: 'Time fill',
  ad: 'Ad slate',
}

/**
 * Makes the slates of a new account, so that its first channel can start, and remakes those that an earlier version packaged
 * without slot segments. Their videos have no partner's name, so that no partner can replace them.
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
