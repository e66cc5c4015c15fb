import type { Actor } from '../../platform/actor.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import type { NoData } from '../../platform/jobs/job-map.ts'
import type { SlateKind } from '../accounts/index.ts'
import { takeInVideo } from '../catalog/index.ts'
import { requireAsset } from './process-request.ts'

/** How long each lasts. A rescue slate is looped, and a minute of it looks less like a loop than half of one. */
export const slateSeconds: Readonly<Record<SlateKind, number>> = { rescue: 60, time_fill: 30, ad: 30 }

const titles: Readonly<Record<SlateKind, string>> = {
  rescue: 'Rescue slate',
  time_fill: 'Time fill',
  ad: 'Ad slate',
}

/** The partner of these videos is ourselves. */
const OWN_SOURCE = 'continuity'

/** Makes the slates that an account begins with, so that its first channel can start. */
export const makeDefaultMedia: JobHandler<NoData> = async (run) => {
  const { accountId } = run
  if (accountId === undefined) throw new Error('slates belong to an account')
  await run.finish(async (tx, nowMs) => {
    const actor: Actor = { accountId, userId: null, requestId: run.requestId ?? null, nowMs }
    for (const kind of Object.keys(titles) as SlateKind[]) {
      const draft = {
        source_id: OWN_SOURCE,
        video_source_id: `slate-${kind.replace('_', '-')}`,
        title: titles[kind],
        duration: slateSeconds[kind],
        content_type: 'SLATE',
      }
      const { videoId } = await takeInVideo(tx, actor, draft, null)
      await requireAsset(tx, actor, { videoId, madeFrom: `slate:${kind}`, imageUrl: null })
    }
  })
}
