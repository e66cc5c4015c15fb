import { join } from 'node:path'
import type { HouseFormat } from '@continuity/core/packaging/house-format'
import type { Ladder } from '@continuity/core/packaging/ladder'
import type { MediaFacts } from '@continuity/core/packaging/media-facts'
import type { SegmentIndex } from '@continuity/core/packaging/segment-index'
import { slatePicture } from '@continuity/core/packaging/slate-picture'
import { downloadFile } from '../../platform/guarded-fetch/download-file.ts'
import type { Guard } from '../../platform/guarded-fetch/guarded-client.ts'
import { newId } from '../../platform/ids.ts'
import { actorOf } from '../../platform/jobs/actor-of.ts'
import type { JobHandler, JobRun } from '../../platform/jobs/job-handler.ts'
import type { MediaStore } from '../../platform/media-store/media-store.ts'
import { getAccount } from '../accounts/read.ts'
import { type Asset, findAsset } from './asset-store.ts'
import { endFailed, endReady, isUnfinished, type MadeAsset, slateKindOf } from './end-asset.ts'
import { fetchImages } from './fetch-images.ts'
import { finalReasonOf } from './final-reason.ts'
import { slateGops } from './make-default-media.ts'
import { makeSlate } from './packaging/make-slate.ts'
import { packageFile } from './packaging/package-file.ts'
import type { PackagingDeps } from './packaging/packaging-deps.ts'
import { probeFile } from './packaging/probe-file.ts'
import { type ProgressTeller, startTelling } from './progress-teller.ts'
import { publishPackage } from './publish-package.ts'
import { openScratch, removeScratch, type Scratch } from './scratch.ts'
import { watchStore } from './store-alert.ts'

export interface PackagerDeps {
  readonly guard: Guard
  readonly store: MediaStore
  readonly packaging: PackagingDeps
  /** A folder of this worker, with room for the largest file and what is made of it. */
  readonly scratchFolder: string
  /** That folder as operators know it, among those of all workers. */
  readonly scratchName: string
  readonly ladder: Ladder
  readonly preset: string
  readonly fetchLimit: { readonly bytes: number; readonly ms: number }
  readonly clock: () => number
}

/**
 * Makes an asset: fetches the file, looks what it is, packages it, publishes the
 * package, and tells the catalog. Each step leaves its result in the scratch
 * folder, so that the next try on this machine goes on behind it; on another
 * machine it begins anew.
 */
export function assetPackager(deps: PackagerDeps): JobHandler<{ readonly asset_id: string }> {
  return async (run) => {
    const { db, data } = run
    const { accountId } = actorOf(run)
    const asset = await findAsset(db, accountId, data.asset_id)
    if (asset === undefined) throw new Error('the asset is not there')
    // Cancelled, or made by a run whose word that it is done was lost.
    if (!isUnfinished(asset)) return removeScratch(deps.scratchFolder, asset.assetId)
    const scratch = await openScratch(deps.scratchFolder, asset.assetId, `${run.attempt}-${newId(run.nowMs)}`)
    const actorAt = (nowMs: number) => actorOf(run, nowMs)
    await using teller = startTelling(db, asset, deps.clock, (error) =>
      run.logger.warn({ err: error }, 'progress could not be told'),
    )
    try {
      const watched = { scratch: deps.scratchName, actorAt, clock: deps.clock }
      const made = await watchStore(run, watched, () => makeAsset(deps, run, asset, scratch, teller))
      await run.finish((tx, nowMs) => endReady(tx, actorAt(nowMs), asset, made))
    } catch (error) {
      if (teller.unwanted.aborted) return scratch.remove()
      const reason = finalReasonOf(error, run)
      if (reason === undefined) throw error
      run.logger.warn({ err: error, code: reason.code }, 'an asset cannot be made')
      await run.finish((tx, nowMs) => endFailed(tx, actorAt(nowMs), asset, reason))
    }
    await scratch.remove()
  }
}

type AssetRun = JobRun<{ readonly asset_id: string }>

async function makeAsset(
  deps: PackagerDeps,
  run: AssetRun,
  asset: Asset,
  scratch: Scratch,
  teller: ProgressTeller,
): Promise<MadeAsset> {
  const signal = AbortSignal.any([run.signal, teller.unwanted])
  const folder = join(scratch.folder, 'package')
  const index = await makePackage({ ...deps, folder, signal }, run, asset, scratch, teller)
  const path = await pathOf(asset, scratch, run.nowMs)
  const images = await fetchImages({ ...deps, signal, logger: run.logger }, asset, { folder, path })
  const onProgress = (share: number) => teller.tell('publish', share)
  await publishPackage(deps.store, { folder, path }, { signal, onProgress })
  return {
    path,
    images,
    durationTicks: index.durationTicks,
    segmentCount: index.segments.length,
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
  teller: ProgressTeller,
): Promise<SegmentIndex> {
  const { loudnessLufs, title } = await getAccount(db, asset.accountId)
  const format: HouseFormat = { frameRate: asset.frameRate, segmentMs: asset.segmentMs, loudnessLufs }
  const { folder, ladder, preset, signal } = deps
  const onProgress = (share: number) => teller.tell('package', share)
  const order = { folder, format, ladder, preset, signal, onProgress }
  const kind = slateKindOf(asset)
  if (kind !== undefined) {
    return makeSlate(deps.packaging, { ...order, gops: slateGops[kind], picture: slatePicture(kind, title) })
  }
  const file = join(scratch.folder, 'original')
  const facts = await fetchAndProbe(deps, asset, file, scratch, teller)
  return packageFile(deps.packaging, { ...order, file, facts })
}

async function fetchAndProbe(
  { guard, fetchLimit, packaging, signal }: Making,
  { madeFrom }: Asset,
  file: string,
  scratch: Scratch,
  teller: ProgressTeller,
): Promise<MediaFacts> {
  const known = await scratch.recall<MediaFacts>('facts')
  if (known !== undefined) return known
  if ((await scratch.recall('fetched')) === undefined) {
    const fetched = await downloadFile(guard, {
      url: madeFrom,
      file,
      mostBytes: fetchLimit.bytes,
      limitMs: fetchLimit.ms,
      signal,
      onProgress: ({ bytes, totalBytes }) => {
        if (totalBytes !== null) teller.tell('fetch', bytes / totalBytes)
      },
    })
    await scratch.remember('fetched', fetched)
  }
  const facts = await probeFile(packaging, file, signal)
  await scratch.remember('facts', facts)
  return facts
}

/** One packaging has one place in the store. Another, of another machine, gets another and does not meet it. */
async function pathOf({ accountId, assetId }: Asset, scratch: Scratch, nowMs: number): Promise<string> {
  const known = await scratch.recall<string>('place')
  const place = known ?? newId(nowMs)
  if (known === undefined) await scratch.remember('place', place)
  return `assets/${accountId}/${assetId}/${place}`
}
