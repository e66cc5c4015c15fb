import {
  type AnswerOf,
  type BodyOf,
  type Operations,
  PLAN_WARNINGS_MAXIMUM,
  PREVIEW_AHEAD_DAYS,
  PREVIEW_DAYS,
} from '@continuity/contract'
import type { PlannedProgram, PlanWarning } from '@continuity/core/rules/plan-input'
import { PlanRangeInvalid } from './errors.ts'
import type { ChannelPlan } from './plan-store.ts'
import type { Preview, PreviewRange } from './preview-plan.ts'

type WirePlan = AnswerOf<Operations['getPlan']>
type WirePreview = AnswerOf<Operations['previewPlan']>

const DAY_MS = 86_400_000

/** Whether a change of rules or of other programs is not planned yet. */
export const toWirePlan = (plan: ChannelPlan, notedMs: number | null): WirePlan => ({
  linear_channel_id: plan.channelId,
  rules: plan.document as WirePlan['rules'],
  planned_until: plan.plannedUntilMs === null ? null : printTime(plan.plannedUntilMs),
  planned_at: plan.plannedMs === null ? null : printTime(plan.plannedMs),
  is_planning: plan.plannedMs === null || plan.replanFromMs !== null || notedMs !== null,
  warnings: plan.warnings.map(toWireWarning),
  last_updated: printTime(plan.changedMs),
})

export function readPreviewRange(
  { from, to }: Pick<BodyOf<Operations['previewPlan']>, 'from' | 'to'>,
  nowMs: number,
): PreviewRange {
  const fromMs = from === undefined ? nowMs : Date.parse(from)
  const untilMs = to === undefined ? fromMs + DAY_MS : Date.parse(to)
  if (untilMs <= fromMs) throw PlanRangeInvalid('`to` must be after `from`.')
  if (untilMs <= nowMs)
    throw PlanRangeInvalid('`to` must be ahead. Programs of the past are listed by `GET …/programs`.')
  if (untilMs - fromMs > PREVIEW_DAYS * DAY_MS)
    throw PlanRangeInvalid(`A preview has ${PREVIEW_DAYS} days at most; request a longer time in parts.`)
  if (untilMs > nowMs + PREVIEW_AHEAD_DAYS * DAY_MS)
    throw PlanRangeInvalid(`A preview ends at most ${PREVIEW_AHEAD_DAYS} days ahead.`)
  return { fromMs, untilMs }
}

export const toWirePreview = (
  { programs, warnings, fillMs }: Preview,
  { fromMs, untilMs }: PreviewRange,
): WirePreview => ({
  from: printTime(fromMs),
  to: printTime(untilMs),
  programs: programs.map(toWireProgram),
  fill_ms: Math.round(fillMs),
  warnings: warnings.slice(0, PLAN_WARNINGS_MAXIMUM).map(toWireWarning),
  warnings_total: warnings.length,
})

const toWireProgram = (program: PlannedProgram): WirePreview['programs'][number] => ({
  start_time: printTime(program.start_ms),
  end_time: printTime(program.end_ms),
  title: program.title,
  rule: program.rule,
  reason: program.reason,
  video_id: program.video_id,
  items: program.items.map((item) => ({ ...item })),
})

const toWireWarning = ({
  code,
  at_ms,
  rule,
  video_id,
  message,
}: PlanWarning): WirePlan['warnings'][number] => ({
  code,
  at: printTime(at_ms),
  rule,
  video_id,
  message,
})

const printTime = (timeMs: number): string => new Date(timeMs).toISOString()
