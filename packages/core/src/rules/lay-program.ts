import type { CatalogIndex } from './catalog-index.ts'
import type { Memory } from './memory.ts'
import type { CatalogVideo, PlannedItem, PlanWarning, ProgramBasis } from './plan-input.ts'
import type { BreakPolicy } from './plan-rules.ts'
import type { RatingLimit } from './rating-limits.ts'
import { HOUR_MS, MINUTE_MS } from './zone-time.ts'

export interface ProgramLayout {
  readonly endMs: number
  readonly items: readonly PlannedItem[]
  readonly breaks: ProgramBasis['breaks']
  readonly interstitials: ProgramBasis['interstitials']
  readonly warnings: readonly Pick<PlanWarning, 'code' | 'message' | 'at_ms'>[]
}

export interface LayoutContext {
  readonly index: CatalogIndex
  readonly ratingLimit: RatingLimit
  readonly memory: Memory
}

/** A layout under construction. */
interface Sheet {
  readonly items: PlannedItem[]
  readonly breaks: { readonly start_ms: number; readonly end_ms: number }[]
  readonly interstitials: { readonly playlist_id: string; readonly video_id: string }[]
  readonly warnings: Pick<PlanWarning, 'code' | 'message' | 'at_ms'>[]
  /** Time that breaks and interstitials take. */
  addedMs: number
}

/**
 * The items of a program: the video, divided by breaks. The video fits before `limitMs`; a break or an interstitial
 * that does not is left out.
 */
export function layProgram(
  context: LayoutContext,
  policy: BreakPolicy,
  video: CatalogVideo,
  { startMs, limitMs }: { readonly startMs: number; readonly limitMs: number },
): ProgramLayout {
  const sheet: Sheet = { items: [], breaks: [], interstitials: [], warnings: [], addedMs: 0 }
  const { video_id, duration_ms } = video
  let shownMs = 0
  for (const cueMs of policy.at === 'CUE_POINTS' ? findCues(policy, video) : []) {
    const atMs = startMs + cueMs + sheet.addedMs
    if (!isDue(policy, [...context.memory.breaks, ...sheet.breaks], atMs)) continue
    const added = planBreak(context, sheet, policy, atMs, limitMs - startMs - duration_ms - sheet.addedMs)
    if (added === undefined) continue
    const inside = shownMs === 0 ? {} : { in_ms: shownMs }
    sheet.items.push({ video_id, ...inside, out_ms: cueMs }, ...added)
    shownMs = cueMs
  }
  sheet.items.push(shownMs === 0 ? { video_id } : { video_id, in_ms: shownMs })
  const atMs = startMs + duration_ms + sheet.addedMs
  if (policy.at === 'BETWEEN' && isDue(policy, context.memory.breaks, atMs)) {
    sheet.items.push(...(planBreak(context, sheet, policy, atMs, limitMs - atMs) ?? []))
  }
  const { addedMs, ...layout } = sheet
  return { ...layout, endMs: startMs + duration_ms + addedMs }
}

function findCues(policy: BreakPolicy, { duration_ms, cue_points_ms = [] }: CatalogVideo): readonly number[] {
  const firstMs = Math.max(1, policy.from_start_minutes * MINUTE_MS)
  const lastMs = duration_ms - Math.max(1, policy.from_end_minutes * MINUTE_MS)
  return cue_points_ms.filter((ms) => ms >= firstMs && ms <= lastMs)
}

function isDue(policy: BreakPolicy, breaks: ProgramBasis['breaks'], atMs: number): boolean {
  const last = breaks.at(-1)
  if (last !== undefined && atMs - last.end_ms < policy.every_minutes * MINUTE_MS) return false
  if (policy.most_per_hour === null) return true
  return breaks.filter(({ start_ms }) => start_ms > atMs - HOUR_MS).length < policy.most_per_hour
}

/** The items of a break, which are added to the sheet but not to its items; undefined if there is no time for it. */
function planBreak(
  context: LayoutContext,
  sheet: Sheet,
  policy: BreakPolicy,
  atMs: number,
  leftMs: number,
): PlannedItem[] | undefined {
  const podMs = policy.length_seconds * 1_000
  if (podMs > leftMs) {
    const message = `no time for a break of ${policy.length_seconds} s`
    sheet.warnings.push({ code: 'break_left_out', at_ms: atMs, message })
    return undefined
  }
  const before = findInterstitial(context, sheet, policy.before_playlist_id, atMs, leftMs - podMs)
  const beforeMs = before?.duration_ms ?? 0
  const afterAtMs = atMs + beforeMs + podMs
  const after = findInterstitial(
    context,
    sheet,
    policy.after_playlist_id,
    afterAtMs,
    leftMs - podMs - beforeMs,
  )
  sheet.breaks.push({ start_ms: atMs + beforeMs, end_ms: afterAtMs })
  sheet.addedMs += beforeMs + podMs + (after?.duration_ms ?? 0)
  const pod: PlannedItem = { type: 'AD_POD', duration: policy.length_seconds }
  return [
    ...(before === undefined ? [] : [{ video_id: before.video_id }]),
    pod,
    ...(after === undefined ? [] : [{ video_id: after.video_id }]),
  ]
}

/** The next of a playlist of interstitials that is allowed and short enough. */
function findInterstitial(
  { index, ratingLimit, memory }: LayoutContext,
  sheet: Sheet,
  playlistId: string | null,
  atMs: number,
  mostMs: number,
): CatalogVideo | undefined {
  if (playlistId === null) return undefined
  const list = index.playlists.get(playlistId) ?? []
  const lastId = sheet.interstitials.findLast(({ playlist_id }) => playlist_id === playlistId)?.video_id
  const last = index.indexOf.get(lastId ?? memory.interstitials.get(playlistId) ?? '')
  const from = last === undefined ? 0 : list.indexOf(last) + 1
  const at = [...list.slice(from), ...list.slice(0, from)].find((each) => {
    const endMs = atMs + index.durationMs[each]!
    return (
      endMs <= atMs + mostMs &&
      index.availableMs[each]! <= atMs &&
      endMs <= Math.min(index.expiredMs[each]!, ratingLimit(index.videos[each]!.parental_rating, atMs))
    )
  })
  if (at === undefined) {
    const message = `no interstitial of playlist ${playlistId} is allowed and short enough`
    sheet.warnings.push({ code: 'interstitial_left_out', at_ms: atMs, message })
    return undefined
  }
  const video = index.videos[at]!
  sheet.interstitials.push({ playlist_id: playlistId, video_id: video.video_id })
  return video
}
