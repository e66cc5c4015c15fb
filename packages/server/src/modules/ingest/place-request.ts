import { isInterstitialType } from '@continuity/core/ingest/interstitial'
import type { ProgramDetails } from '@continuity/core/timeline/span'
import type { Actor } from '../../platform/actor.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { type ItemRecord, placeProgram } from '../schedule/index.ts'
import { alertFailed } from './failed-program-alert.ts'
import { listPlayedItems, type PlayedItem } from './item-store.ts'
import { changeRequestState } from './request-events.ts'
import { type IngestRequest, type Reason, setRequestProgram } from './request-store.ts'
import { restoreReplaced } from './restore-replaced.ts'

/**
 * Makes a program of a request whose items have their assets, whether those are ready or not. False where it is too late:
 * then the last request before it that has a program is restored. The channel is locked.
 */
export async function placeRequest(tx: Transaction, actor: Actor, request: IngestRequest): Promise<boolean> {
  const items = await listPlayedItems(tx, request)
  const programId = newId(actor.nowMs)
  const result = await placeProgram(tx, actor, {
    accountId: request.accountId,
    programId,
    channelId: request.channelId,
    sourceId: request.sourceId,
    title: request.programTitle,
    description: request.programDescription,
    startMs: request.startMs,
    endMs: request.endMs,
    details: detailsOf(items),
    origin: 'REQUEST',
    originId: null,
    items: items.map(itemOf),
  })
  if (result === 'placed') {
    await changeRequestState(tx, actor, request, 'PROCESSING', null)
    await setRequestProgram(tx, request, programId, actor.nowMs)
    return true
  }
  await changeRequestState(tx, actor, request, 'FAILED', TOO_LATE)
  await restoreReplaced(tx, actor, request)
  await alertFailed(tx, actor, request, TOO_LATE)
  return false
}

const TOO_LATE: Reason = {
  code: 'schedule.too_late',
  message:
    'It was processed when its time was over, or when the program that it was to replace was on air or about to start: that one plays.',
}

const itemOf = ({ type, duration, document, videoId, assetId }: PlayedItem): ItemRecord => ({
  type: type === 'AD_POD' ? 'AD_POD' : isInterstitial(document) ? 'INTERSTITIAL' : 'VIDEO',
  declaredMs: duration * 1_000,
  title: document?.title ?? '',
  videoId,
  assetId,
})

const isInterstitial = (document: PlayedItem['document']): boolean =>
  isInterstitialType(document?.content_type ?? null)

/** A guide describes a program by its longest video. */
function detailsOf(items: readonly PlayedItem[]): ProgramDetails {
  const videos = items.filter(({ document }) => document !== null && !isInterstitial(document))
  const longest = videos.toSorted((one, other) => other.duration - one.duration)[0]?.document
  if (longest == null) return {}
  return {
    ...(longest.genres.length === 0 ? {} : { genres: longest.genres.map(({ genre }) => genre) }),
    ...(longest.image_url === null ? {} : { imageUrl: longest.image_url }),
    ...(longest.parental_rating === null ? {} : { parentalRating: longest.parental_rating }),
    ...(longest.audio_language === null ? {} : { language: longest.audio_language }),
  }
}
