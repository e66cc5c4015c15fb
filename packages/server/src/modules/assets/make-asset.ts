import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { frameAt } from '@continuity/core/media/cue-points'
import type { HouseFormat } from '@continuity/core/media/house-format'
import type { Ladder } from '@continuity/core/media/ladder'
import type { SegmentIndex } from '@continuity/core/media/segment-index'
import { type FoundCues, NOTHING_FOUND, usedCues } from '@continuity/core/media/video-cue-points'
import type { MediaFacts } from '@continuity/core/packaging/media-facts'
import { slatePicture } from '@continuity/core/packaging/slate-picture'
import { forEachConcurrent } from '../../platform/concurrency/for-each-concurrent.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { JobRun } from '../../platform/jobs/job-handler.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { MediaStore } from '../../platform/media-store/media-store.ts'
import { downloadFile } from '../../platform/outbound/download-file.ts'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import { getAccount } from '../accounts/read.ts'
import { findGivenCues, MEDIA_BASE, type RecordImage } from '../catalog/index.ts'
import { type Asset, slateKindOf } from './asset-store.ts'
import type { MadeAsset } from './end-asset.ts'
import { slateGops } from './make-default-media.ts'
import { type MadeImage, makeImages } from './packaging/make-images.ts'
import { makeSlate } from './packaging/make-slate.ts'
import { MediaRejected } from './packaging/media-rejected.ts'
import { packageFile } from './packaging/package-file.ts'
import type { PackagingDeps } from './packaging/packaging-deps.ts'
import { probeFile } from './packaging/probe-file.ts'
import type { ProgressReporter } from './progress-reporter.ts'
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
  const { index, found, givenMs } = await makePackage(
    { ...deps, folder, signal },
    run,
    asset,
    scratch,
    progress,
  )
  const path = await pathOf(asset, scratch, run.nowMs)
  const images = await fetchImages({ ...deps, signal, logger: run.logger }, asset, { folder, path })
  const onProgress = (share: number) => progress.report('publish', share)
  await publishPackage(deps.store, { folder, path }, { signal, onProgress })
  return {
    path,
    images,
    found,
    givenMs,
    durationTicks: index.durationTicks,
    segmentCount: index.segments.length,
    ...(index.cuts === undefined ? {} : { cuts: index.cuts }),
  }
}

interface Making extends PackagerDeps {
  readonly folder: string
  readonly signal: AbortSignal
}

interface MadePackage {
  readonly index: SegmentIndex
  readonly found: FoundCues
  /** The given cue points that it has. */
  readonly givenMs: readonly number[] | null
}

async function makePackage(
  deps: Making,
  { db }: AssetRun,
  asset: Asset,
  scratch: Scratch,
  progress: ProgressReporter,
): Promise<MadePackage> {
  const { loudnessLufs, title } = await getAccount(db, asset.accountId)
  const format: HouseFormat = { frameRate: asset.frameRate, segmentMs: asset.segmentMs, loudnessLufs }
  const { folder, ladder, preset, signal } = deps
  const onProgress = (share: number) => progress.report('package', share)
  const options = { folder, format, ladder, preset, signal, onProgress }
  const kind = slateKindOf(asset)
  if (kind !== undefined) {
    const picture = slatePicture(kind, title)
    const index = await makeSlate(deps.packaging, { ...options, gops: slateGops[kind], picture })
    return { index, found: NOTHING_FOUND, givenMs: null }
  }
  const file = join(scratch.folder, 'original')
  const facts = await fetchAndProbe(deps, asset, file, scratch, progress)
  const givenMs = await givenOf(db, asset, scratch)
  const chaptersMs = facts.chaptersMs ?? []
  const cuePoints = usedCues(givenMs, { chaptersMs, proposedMs: [] })
  const cueFrames = cuePoints.map((atMs) => frameAt(atMs, format.frameRate))
  const index = await packageFile(deps.packaging, { ...options, file, facts, cueFrames })
  return { index, found: { chaptersMs, proposedMs: index.proposedMs ?? [] }, givenMs }
}

/** The cue points of the first attempt: a package that it finished has no others. */
async function givenOf(
  db: AssetRun['db'],
  { accountId, videoId }: Asset,
  scratch: Scratch,
): Promise<readonly number[] | null> {
  const known = await scratch.recall<{ readonly givenMs: readonly number[] | null }>('cue_points')
  if (known !== undefined) return known.givenMs
  const givenMs = await findGivenCues(db, accountId, videoId)
  await scratch.remember('cue_points', { givenMs })
  return givenMs
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

/** Enough to hide the latency of a distant store, with few files in memory. */
const AT_ONCE = 8

/**
 * Puts every file of a package into the store, the index last: a package with an index is complete. A repeat puts only the
 * missing files.
 */
export async function publishPackage(
  store: MediaStore,
  { folder, path }: { readonly folder: string; readonly path: string },
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
): Promise<void> {
  const files = await listFiles(folder)
  const [last, rest] = [files.filter(isIndex), files.filter((file) => !isIndex(file))]
  let done = 0
  const put = async (file: string) => {
    signal.throwIfAborted()
    const key = `${path}/${relative(folder, file)}`
    if (!(await store.has(key))) await store.put(key, { file }, signal)
    done += 1
    onProgress(done / files.length)
  }
  await forEachConcurrent(rest, AT_ONCE, put)
  await forEachConcurrent(last, 1, put)
}

const isIndex = (file: string) => file.endsWith('/index.json')

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

const PICTURE_LIMIT = { bytes: 20_000_000, ms: 60_000 } as const

interface ImageDeps {
  readonly outboundClient: OutboundClient
  readonly packaging: PackagingDeps
  readonly signal: AbortSignal
  readonly logger: Logger
}

/**
 * Puts the partner's picture, in three sizes, into the folder of the package. A picture that cannot be fetched does not
 * fail the video.
 */
async function fetchImages(
  deps: ImageDeps,
  { imageUrl }: Asset,
  { folder, path }: { readonly folder: string; readonly path: string },
): Promise<RecordImage[]> {
  const toRecord = ({ name, width, height }: MadeImage): RecordImage => ({
    width,
    height,
    image_type: 'THUMBNAIL',
    original_image_url: imageUrl ?? '',
    image_url: `${MEDIA_BASE}${path}/images/${name}`,
  })
  if (imageUrl === null) return []
  const file = join(folder, '..', 'picture')
  try {
    const { bytes: mostBytes, ms: limitMs } = PICTURE_LIMIT
    await downloadFile(deps.outboundClient, { url: imageUrl, file, mostBytes, limitMs, signal: deps.signal })
    const made = await makeImages(deps.packaging, {
      file,
      folder: join(folder, 'images'),
      signal: deps.signal,
    })
    return made.map(toRecord)
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof MediaRejected)) throw error
    deps.logger.warn({ err: error, code: error.code }, 'image could not be fetched, continuing without it')
    return []
  }
}
