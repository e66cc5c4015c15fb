import { setTimeout as sleep } from 'node:timers/promises'
import type { Draw } from '@continuity/dev/draw'
import type { IngestBody, IngestStatus } from './ingest-system.ts'
import {
  CLIP_SECONDS,
  createChannel,
  createOutput,
  type OnAirSystem,
  startChannel,
  untilAnswered,
  untilOnAir,
  untilPlanned,
  urlsOf,
} from './on-air-system.ts'
import { directOf, type WatchedOutput } from './outputs.ts'
import { PATIENCE_MS } from './until.ts'

/** An item of a program: a clip, a clip as an interstitial, or an ad pod of so many seconds. */
export type Item = { readonly clip: number } | { readonly promo: number } | { readonly podSeconds: number }

export interface ProgramPlan {
  readonly channelId: string
  readonly startMs: number
  readonly durationMs: number
  readonly items: readonly Item[]
}

const lengthOf = (item: Item): number =>
  'podSeconds' in item ? item.podSeconds : CLIP_SECONDS[clipOf(item) % CLIP_SECONDS.length]!

const clipOf = (item: { readonly clip: number } | { readonly promo: number }): number =>
  'clip' in item ? item.clip : item.promo

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

type Submitting = Pick<OnAirSystem, 'clips' | 'origin' | 'submit' | 'statusOf'>

/** Submits a program and waits until it is scheduled. */
export async function scheduleProgram(
  system: Submitting,
  plan: ProgramPlan,
  withinMs = PATIENCE_MS,
): Promise<IngestStatus> {
  return untilScheduled(system, await system.submit(bodyOf(system, plan)), withinMs)
}

/** Submits programs one after another, as a partner does, and waits for all. */
export async function schedulePrograms(
  system: Submitting,
  plans: readonly ProgramPlan[],
  withinMs = PATIENCE_MS,
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
    await sleep(100)
  }
}

/** Beyond anything that is committed while a proof runs. */
const STOCK_AHEAD_MS = 5 * 86_400_000

/** Ingests all clips with a program in the far future: later programs find them ready. */
export async function stockClips(
  system: Submitting & Pick<OnAirSystem, 'channelId' | 'nowMs'>,
): Promise<readonly string[]> {
  const startMs = Math.ceil(system.nowMs() / 1_000) * 1_000 + STOCK_AHEAD_MS
  const items = system.clips.map((_, clip) => ({ clip }))
  const plan = { channelId: system.channelId, startMs, durationMs: 3_600_000, items }
  const { items: ingested } = await scheduleProgram(system, plan)
  return ingested.map(({ video_id }) => video_id!)
}

export interface DaySize {
  readonly channels: number
  /** Per channel; they follow one another over a day and an hour. */
  readonly programs: number
  readonly itemsOfEach: number
}

/** One hour more than the time without the control room. */
const HOURS = 25

const HOUR_MS = 3_600_000

/** Timeout for submitting all programs, on a busy machine. */
const AHEAD_MS = 15 * 60_000

/** Puts channels on air with random programs for more than a day, and three outputs each. */
export async function putDayOnAir(system: OnAirSystem, draw: Draw, size: DaySize) {
  const more = Array.from({ length: size.channels - 1 }, (_, at) =>
    createChannel(system, { title: `More ${at}` }),
  )
  const channelIds = [system.channelId, ...(await Promise.all(more))]
  const outputs = channelIds.flatMap(outputsOf)
  for (const output of outputs) if (output.distributor !== 'direct') await createOutput(system, output)
  for (const channelId of channelIds) await startChannel(system, channelId)

  const eachMs = Math.floor((HOURS * HOUR_MS) / size.programs / 1_000) * 1_000
  const firstMs = Math.ceil(system.nowMs() / 60_000) * 60_000 + AHEAD_MS
  /** When programs begin, in order. */
  const startsMs = Array.from({ length: size.programs }, (_, at) => firstMs + at * eachMs)
  for (const channelId of channelIds) {
    const itemsOf = () => someItems(system, draw, size.itemsOfEach, eachMs)
    const plans = startsMs.map((startMs) => ({ channelId, startMs, durationMs: eachMs, items: itemsOf() }))
    await schedulePrograms(system, plans)
  }
  for (const channelId of channelIds) await untilOnAir(system, channelId)
  await untilPlanned(system, system.nowMs() + 24 * HOUR_MS)
  for (const output of outputs) await untilAnswered(urlsOf(system), output)
  return { outputs, startsMs }
}

const outputsOf = (channelId: string): WatchedOutput[] => [
  directOf(channelId),
  { channelId, distributor: 'cues', windowMs: 60_000, markers: 'CUE', breakPolicy: 'FULL_LENGTH' },
  { channelId, distributor: 'long', windowMs: 240_000, markers: 'DATERANGE', breakPolicy: 'ACTUAL' },
]

/** As many as fit; a tenth of them are ad pods. */
function someItems({ clips }: OnAirSystem, draw: Draw, most: number, windowMs: number): Item[] {
  const items = draw.some(Math.ceil(most / 2), most, (): Item => {
    if (draw.chance(0.1)) return { podSeconds: 2 + draw.below(60) }
    const clip = draw.below(clips.length)
    return draw.chance(0.2) ? { promo: clip } : { clip }
  })
  const fitting: Item[] = []
  let leftMs = windowMs
  for (const item of items) {
    leftMs -= lengthOf(item) * 1_000
    if (leftMs >= 0) fitting.push(item)
  }
  return fitting.some((item) => !('podSeconds' in item)) ? fitting : [{ clip: 0 }]
}
