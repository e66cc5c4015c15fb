import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import type { AsRunEntry } from '@continuity/core/as-run/as-run'
import { msOf } from '@continuity/core/time/ticks'
import type { ItemRecord } from '../schedule/index.ts'
import { NO_END, toReason } from '../schedule/read.ts'
import type { ProgramDraft } from './change-programs.ts'
import { ProgramRangeInvalid } from './errors.ts'
import type { ListedProgram } from './listed-program.ts'
import type { ProgramFacts, ProgramItems } from './program-facts.ts'
import type { Now } from './read-now.ts'
import type { DraftItem } from './resolve-items.ts'

type WireProgram = AnswerOf<Operations['listPrograms']>['hits'][number]
type WireComponent = NonNullable<WireProgram['components']>[number]
type WireItem = NonNullable<WireProgram['items']>[number]
type WireNow = AnswerOf<Operations['readOnAirNow']>

const DAY_MS = 86_400_000
const DAYS_MAXIMUM = 8

/** From now for a day, unless the query states otherwise. */
export function readRange(
  { from, to }: { readonly from?: string; readonly to?: string },
  nowMs: number,
): { readonly fromMs: number; readonly untilMs: number } {
  const fromMs = from === undefined ? nowMs : Date.parse(from)
  const untilMs = to === undefined ? fromMs + DAY_MS : Date.parse(to)
  if (untilMs <= fromMs) throw ProgramRangeInvalid('`to` must be after `from`.')
  if (untilMs - fromMs > DAYS_MAXIMUM * DAY_MS)
    throw ProgramRangeInvalid(`A range has ${DAYS_MAXIMUM} days at most; read a longer time in parts.`)
  return { fromMs, untilMs }
}

type WireDraft = BodyOf<Operations['createProgram']>

/** As of `schedule.duration_ms` of a request. */
const WINDOW_MAXIMUM_MS = 7 * DAY_MS

export function readDraft(body: WireDraft): ProgramDraft {
  const startMs = Date.parse(body.start_time)
  const endMs = body.end_time === undefined ? undefined : Date.parse(body.end_time)
  if (endMs !== undefined && (endMs < startMs + 1_000 || endMs > startMs + WINDOW_MAXIMUM_MS))
    throw ProgramRangeInvalid('`end_time` must be after `start_time`, by 1 second to 7 days.')
  return {
    title: body.title,
    description: body.description ?? '',
    startMs,
    endMs,
    items: body.items.map(readItem),
  }
}

function readItem(item: WireDraft['items'][number]): DraftItem {
  if ('video_id' in item)
    return { kind: 'video', videoId: item.video_id, inMs: item.in_ms ?? null, outMs: item.out_ms ?? null }
  if ('playlist_id' in item) return { kind: 'playlist', playlistId: item.playlist_id }
  return { kind: 'pod', durationMs: item.duration * 1_000 }
}

export function toWireProgram(program: ListedProgram, { origins, warnings }: ProgramFacts): WireProgram {
  const { programId, title, description, startMs, endMs, state, reason: failure } = program
  const origin = origins.get(programId)
  const isAhead = state === 'ON_AIR' || state === 'COMMITTED' || state === 'PLANNED'
  return {
    program_id: programId,
    title,
    description,
    start_time: printTime(startMs),
    end_time: endMs === null ? null : printTime(endMs),
    state,
    // An override is an operator's, and has no row.
    origin: { type: origin?.type ?? 'OPERATOR', id: origin?.id ?? null },
    reason: origin?.reason ?? null,
    warnings: [
      ...(failure === undefined ? [] : [{ ...failure }]),
      ...(isAhead ? (warnings.get(programId) ?? []).map((warning) => toReason(warning, 'items')) : []),
    ],
  }
}

export const withComponents = (
  wire: WireProgram,
  { programId, entries }: ListedProgram,
  items: ProgramItems,
): WireProgram => ({
  ...wire,
  components: entries.map(toWireComponent),
  // An override has no items.
  ...(items.has(programId) ? { items: items.get(programId)!.map(toWireItem) } : {}),
})

/** As a caller would name it again. */
function toWireItem({ videoId, inMs, outMs, declaredMs }: ItemRecord): WireItem {
  if (videoId === null) return { type: 'AD_POD', duration: declaredMs / 1_000 }
  return {
    video_id: videoId,
    ...(inMs == null ? {} : { in_ms: inMs }),
    ...(outMs == null ? {} : { out_ms: outMs }),
  }
}

const toWireComponent = ({ type, title, referenceId, startTicks, endTicks }: AsRunEntry): WireComponent => ({
  type,
  title: title === '' ? null : title,
  reference_id: referenceId,
  start_time: printTime(msOf(startTicks)),
  end_time: endTicks === NO_END ? null : printTime(msOf(endTicks)),
})

export function toWireNow(
  channelId: string,
  nowMs: number,
  { program, component, next }: Now,
  facts: ProgramFacts,
): WireNow {
  return {
    linear_channel_id: channelId,
    at: printTime(nowMs),
    program: program && {
      ...toWireProgram(program, facts),
      time_left_ms: program.endMs === null ? null : leftOf(program.endMs, nowMs),
    },
    component: component && {
      ...toWireComponent(component),
      time_left_ms: component.endTicks === NO_END ? null : leftOf(msOf(component.endTicks), nowMs),
    },
    next: next && toWireProgram(next, facts),
  }
}

const leftOf = (endMs: number, nowMs: number): number => Math.max(0, Math.round(endMs - nowMs))

const printTime = (timeMs: number): string => new Date(timeMs).toISOString()
