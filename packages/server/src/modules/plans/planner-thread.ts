import { parentPort } from 'node:worker_threads'
import { planAgain } from '@continuity/core/rules/plan-again'
import type { CatalogSnapshot, CatalogVideo } from '@continuity/core/rules/plan-input'
import { recordOf } from '../catalog/read.ts'
import type { PlannerMessage, PlannerResult } from './planner.ts'
import type { CatalogPage, VideoMedia } from './read-catalog.ts'

/** The thread of `planner.ts`. It keeps one catalog. */
let videos: CatalogVideo[] = []
let snapshot: CatalogSnapshot = { videos, series: [], playlists: [] }

parentPort?.on('message', (message: PlannerMessage) => {
  if (message.kind === 'clear') videos = []
  else if (message.kind === 'page') addPage(message)
  else parentPort?.postMessage(run(message))
})

function addPage({ documents, media }: CatalogPage): void {
  for (const [at, document] of documents.entries()) videos.push(videoOf(document, media[at] ?? null))
}

/** A video that has no media cannot be planned. */
function videoOf(document: string, media: VideoMedia | null): CatalogVideo {
  const { description: _description, images: _images, ...record } = recordOf(document)
  return {
    ...record,
    duration_ms: media?.durationMs ?? 0,
    ...(media !== null && media.cuePointsMs.length > 0 && { cue_points_ms: media.cuePointsMs }),
  }
}

function run({ series, playlists, request }: PlannerMessage & { readonly kind: 'plan' }): PlannerResult {
  try {
    snapshot = { videos, series, playlists }
    return { plan: planAgain({ ...request, catalog: snapshot }) }
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
