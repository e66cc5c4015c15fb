import type { Media } from '@continuity/core/media/media'
import type {
  Filler,
  ScheduledItem,
  ScheduledProgram,
  Slates,
} from '@continuity/core/schedule/scheduled-program'
import { ticksOf } from '@continuity/core/time/ticks'
import type { Db } from '../../platform/database/database.ts'
import { getDefaultSlates } from '../accounts/read.ts'
import { mediaOfAssets, mediaOfVideos, slotMediaOfVideos } from '../assets/read.ts'
import { listPlaylistTitles, listPresentVideos } from '../catalog/read.ts'
import type { Channel } from '../channels/index.ts'
import { type ItemRecord, listProgramItems, listPrograms, type ProgramRecord } from './program-store.ts'

/** More fillers than a day of the longest gaps needs. */
const FILLERS_MAXIMUM = 200

/** The programs of a channel in a stretch of time, with the media that they have by now. */
export async function loadPrograms(
  db: Db,
  channel: Pick<Channel, 'accountId' | 'channelId'>,
  fromMs: number,
  untilMs: number,
): Promise<readonly ScheduledProgram[]> {
  const programs = await listPrograms(db, channel, fromMs, untilMs)
  return withItems(db, channel.accountId, programs)
}

export async function withItems(
  db: Db,
  accountId: string,
  programs: readonly ProgramRecord[],
): Promise<readonly ScheduledProgram[]> {
  const items = await listProgramItems(
    db,
    accountId,
    programs.map(({ programId }) => programId),
  )
  const present = await listPresentVideos(db, accountId, knownOf(items.map(({ videoId }) => videoId)))
  const media = await mediaOfAssets(db, accountId, knownOf(items.map(({ assetId }) => assetId)))
  const byProgram = Map.groupBy(items, ({ programId }) => programId)
  return programs.map((program) => ({
    program: {
      id: program.programId,
      title: program.title,
      description: program.description,
      startMs: program.startMs,
      endMs: program.endMs,
      details: program.details,
    },
    items: (byProgram.get(program.programId) ?? []).map((item) => itemOf(item, present, media)),
  }))
}

const knownOf = (ids: readonly (string | null)[]): readonly string[] => [
  ...new Set(ids.filter((id) => id !== null)),
]

/** A deleted video is shown only where it is committed. */
function itemOf(
  { type, declaredMs, title, videoId, assetId, inMs, outMs }: ItemRecord,
  present: ReadonlySet<string>,
  media: ReadonlyMap<string, Media>,
): ScheduledItem {
  const isPresent = videoId !== null && present.has(videoId)
  return {
    type,
    referenceId: videoId,
    title,
    media: isPresent && assetId !== null ? (media.get(assetId) ?? null) : null,
    declaredTicks: ticksOf(declaredMs),
    ...(inMs == null ? {} : { inMs }),
    ...(outMs == null ? {} : { outMs }),
  }
}

/**
 * What a channel fills time with: its own slates where they are ready, else those of the account. Undefined while neither
 * is ready for one of the three.
 */
export async function loadSlates(db: Db, channel: Channel): Promise<Slates | undefined> {
  const { accountId } = channel
  const defaults = await getDefaultSlates(db, accountId)
  const wanted = {
    rescue: [channel.rescueSlateVideoId, defaults.rescue],
    timeFill: [channel.timeFillVideoId, defaults.timeFill],
    ad: [channel.adSlateVideoId, defaults.ad],
  } as const
  const media = await mediaOfVideos(db, accountId, knownOf(Object.values(wanted).flat()))
  const pick = (ids: readonly (string | null)[]) =>
    ids.flatMap((id) => (id === null ? [] : (media.get(id) ?? []))).at(0)
  const [rescue, timeFill, ad] = [pick(wanted.rescue), pick(wanted.timeFill), pick(wanted.ad)]
  if (rescue === undefined || timeFill === undefined || ad === undefined) return undefined
  return { rescue, timeFill, ad, fillers: await loadFillers(db, channel) }
}

/** The fill for a live source without media: the channel's rescue slate in segments of one slot. */
export async function loadFill(
  db: Db,
  { accountId, rescueSlateVideoId }: Channel,
): Promise<Media | undefined> {
  const { rescue } = await getDefaultSlates(db, accountId)
  const ids = knownOf([rescueSlateVideoId, rescue])
  const media = await slotMediaOfVideos(db, accountId, ids)
  return ids.flatMap((id) => media.get(id) ?? []).at(0)
}

async function loadFillers(db: Db, channel: Channel): Promise<readonly Filler[]> {
  const { accountId, fillerPlaylistId } = channel
  if (fillerPlaylistId === null) return []
  const videos = await listPlaylistTitles(db, accountId, fillerPlaylistId, FILLERS_MAXIMUM)
  const ids = videos.map(({ videoId }) => videoId)
  const media = await mediaOfVideos(db, accountId, ids)
  return videos.flatMap(({ videoId, title }) => {
    const found = media.get(videoId)
    return found === undefined ? [] : [{ referenceId: videoId, title, media: found }]
  })
}
