import { join } from 'node:path'
import { frameAt, usableCuePoints } from '@continuity/core/media/cue-points'
import type { HouseFormat } from '@continuity/core/media/house-format'
import type { Ladder } from '@continuity/core/media/ladder'
import type { SegmentIndex } from '@continuity/core/media/segment-index'
import type { MediaFacts } from '@continuity/core/packaging/media-facts'
import { slatePicture } from '@continuity/core/packaging/slate-picture'
import { newId } from '../../platform/crypto/ids.ts'
import type { JobRun } from '../../platform/jobs/job-handler.ts'
import type { MediaStore } from '../../platform/media-store/media-store.ts'
import { downloadFile } from '../../platform/outbound/download-file.ts'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import { getAccount } from '../accounts/read.ts'
import { type Asset, slateKindOf } from './asset-store.ts'
import type { MadeAsset } from './end-asset.ts'
import { fetchImages } from './fetch-images.ts'
import { slateGops } from './make-default-media.ts'
import { makeSlate } from './packaging/make-slate.ts'
import { packageFile } from './packaging/package-file.ts'
import type { PackagingDeps } from './packaging/packaging-deps.ts'
import { probeFile } from './packaging/probe-file.ts'
import type { ProgressReporter } from './progress-reporter.ts'
import { publishPackage } from './publish-package.ts'
import type { Scratch } from './scratch.ts'

export interface PackagerDeps {
  readonly outboundClient: OutboundClient
  readonly store: MediaStore
  readonly packaging: PackagingDeps
  /** A folder of this worker, with room for the largest file and what is made of it. */
  readonly scratchFolder: string
  /** The name of that folder in alerts, unique among all workers. */
  readonly scratchName: string
  readonly ladder: Ladder
  readonly preset: string
  readonly fetchLimit: { readonly bytes: number; readonly ms: number }
  readonly clock: () => number
}

type AssetRun = Pick<JobRun, 'db' | 'nowMs' | 'signal' | 'logger'>

/**
 * Fetches the file, probes it, packages it and publishes the package. Each step writes its result to the scratch folder:
 * the next attempt on this machine continues after it, one on another machine starts over.
 */
export async function makeAsset(
  deps: PackagerDeps,
  run: AssetRun,
  asset: Asset,
  scratch: Scratch,
  progress: ProgressReporter,
): Promise<MadeAsset> {
  const signal = AbortSignal.any([run.signal, progress.unwanted])
  const folder = join(scratch.folder, 'package')
  const index = await makePackage({ ...deps, folder, signal }, run, asset, scratch, progress)
  const path = await pathOf(asset, scratch, run.nowMs)
  const images = await fetchImages({ ...deps, signal, logger: run.logger }, asset, { folder, path })
  const onProgress = (share: number) => progress.report('publish', share)
  await publishPackage(deps.store, { folder, path }, { signal, onProgress })
  return {
    path,
    images,
    durationTicks: index.durationTicks,
    segmentCount: index.segments.length,
    ...(index.cuts === undefined ? {} : { cuts: index.cuts }),
  }
}

interface Making extends PackagerDeps {
  readonly folder: string
  readonly signal: AbortSignal
}

async function makePackage(
  deps: Making,
  { db }: AssetRun,
  asset: Asset,
  scratch: Scratch,
  progress: ProgressReporter,
): Promise<SegmentIndex> {
  const { loudnessLufs, title } = await getAccount(db, asset.accountId)
  const format: HouseFormat = { frameRate: asset.frameRate, segmentMs: asset.segmentMs, loudnessLufs }
  const { folder, ladder, preset, signal } = deps
  const onProgress = (share: number) => progress.report('package', share)
  const options = { folder, format, ladder, preset, signal, onProgress }
  const kind = slateKindOf(asset)
  if (kind !== undefined) {
    return makeSlate(deps.packaging, {
      ...options,
      gops: slateGops[kind],
      picture: slatePicture(kind, title),
    })
  }
  const file = join(scratch.folder, 'original')
  const facts = await fetchAndProbe(deps, asset, file, scratch, progress)
  const cuePoints = usableCuePoints(facts.chaptersMs ?? [])
  const cueFrames = cuePoints.map((atMs) => frameAt(atMs, format.frameRate))
  return packageFile(deps.packaging, { ...options, file, facts, cueFrames })
}

async function fetchAndProbe(
  { outboundClient, fetchLimit, packaging, signal }: Making,
  { madeFrom }: Asset,
  file: string,
  scratch: Scratch,
  progress: ProgressReporter,
): Promise<MediaFacts> {
  const known = await scratch.recall<MediaFacts>('facts')
  if (known !== undefined) return known
  if ((await scratch.recall('fetched')) === undefined) {
    const fetched = await downloadFile(outboundClient, {
      url: madeFrom,
      file,
      mostBytes: fetchLimit.bytes,
      limitMs: fetchLimit.ms,
      signal,
      onProgress: ({ bytes, totalBytes }) => {
        if (totalBytes !== null) progress.report('fetch', bytes / totalBytes)
      },
    })
    await scratch.remember('fetched', fetched)
  }
  const facts = await probeFile(packaging, file, signal)
  await scratch.remember('facts', facts)
  return facts
}

/** The object key of one packaging. Another worker's packaging of the same asset gets another key. */
async function pathOf({ accountId, assetId }: Asset, scratch: Scratch, nowMs: number): Promise<string> {
  const known = await scratch.recall<string>('place')
  const packageId = known ?? newId(nowMs)
  if (known === undefined) await scratch.remember('place', packageId)
  return `assets/${accountId}/${assetId}/${packageId}`
}
