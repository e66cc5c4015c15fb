import type { IngestBody, IngestStatus } from '../ingest/ingest-system.ts'
import { PATIENCE_MS } from './channels.ts'
import { CLIP_SECONDS, type OnAirSystem } from './on-air-system.ts'

/** An item of a program: a clip, a clip as an interstitial, or an ad pod of so many seconds. */
export type Item = { readonly clip: number } | { readonly promo: number } | { readonly podSeconds: number }

export interface ProgramPlan {
  readonly channelId: string
  readonly startMs: number
  readonly durationMs: number
  readonly items: readonly Item[]
}

export const lengthOf = (item: Item): number =>
  'podSeconds' in item ? item.podSeconds : CLIP_SECONDS[clipOf(item) % CLIP_SECONDS.length]!

/** The body that a partner submits. Durations are declared in whole seconds, rounded down. */
export function bodyOf(system: Pick<OnAirSystem, 'clips' | 'origin'>, plan: ProgramPlan): IngestBody {
  const { channelId, startMs, durationMs, items } = plan
  return {
    linear_channel_id: channelId,
    // One partner: its program replaces another of the same time, and a clip is the same video in all programs.
    source_id: 'proof',
    program_title: `From ${new Date(startMs).toISOString()}`,
    videos: items.map((item) => {
      const duration = Math.floor(lengthOf(item))
      if ('podSeconds' in item) return { type: 'AD_POD', duration }
      const name = system.clips[clipOf(item)]!
      return {
        type: 'VIDEO',
        video_source_id: name,
        title: name,
        video_url: system.origin.addressOf(name),
        duration,
        ...('promo' in item ? { content_type: 'PROMO' } : {}),
      }
    }),
    schedule: { start_time: new Date(startMs).toISOString(), duration_ms: durationMs },
  }
}

const clipOf = (item: { readonly clip: number } | { readonly promo: number }): number =>
  'clip' in item ? item.clip : item.promo

type Submitting = Pick<OnAirSystem, 'clips' | 'origin' | 'submit' | 'statusOf'>

/** Submits a program and waits until it is scheduled. */
export async function scheduleProgram(
  system: Submitting,
  plan: ProgramPlan,
  withinMs: number,
): Promise<IngestStatus> {
  return untilScheduled(system, await system.submit(bodyOf(system, plan)), withinMs)
}

/** Submits programs one after another, as a partner does, and waits for all. */
export async function schedulePrograms(
  system: Submitting,
  plans: readonly ProgramPlan[],
  withinMs: number,
): Promise<void> {
  const requestIds: string[] = []
  for (const plan of plans) requestIds.push(await system.submit(bodyOf(system, plan)))
  for (const requestId of requestIds) await untilScheduled(system, requestId, withinMs)
}

async function untilScheduled(
  system: Submitting,
  requestId: string,
  withinMs: number,
): Promise<IngestStatus> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const status = await system.statusOf(requestId)
    if (status.state === 'SCHEDULED') return status
    const isOver = status.state === 'FAILED' || performance.now() > endMs
    if (isOver) throw new Error(`not scheduled: ${JSON.stringify(status)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Ingests all clips with a program in the far future: later programs find them ready. */
export async function stockClips(
  system: Submitting & Pick<OnAirSystem, 'channelId' | 'nowMs'>,
): Promise<readonly string[]> {
  const startMs = Math.ceil(system.nowMs() / 1_000) * 1_000 + STOCK_AHEAD_MS
  const items = system.clips.map((_, clip) => ({ clip }))
  const plan = { channelId: system.channelId, startMs, durationMs: 3_600_000, items }
  const { items: ingested } = await scheduleProgram(system, plan, PATIENCE_MS)
  return ingested.map(({ video_id }) => video_id!)
}

/** Beyond anything that is committed while a proof runs. */
const STOCK_AHEAD_MS = 5 * 86_400_000
