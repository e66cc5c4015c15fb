import type { AnswerOf, Operations } from '@continuity/contract'
import { healthTotals, type InputHealth, type SlotHealth } from '@continuity/core/live/input-health'
import { statusOf } from '@continuity/core/live/source-state'
import { slotStartMs } from '@continuity/core/timeline/live-log'
import type { LiveSource } from './store.ts'

type WireHealth = AnswerOf<Operations['getLiveSourceHealth']>
type WireInput = WireHealth['inputs'][number]

export const toWireHealth = (source: LiveSource, inputs: readonly InputHealth[]): WireHealth => ({
  live_source_id: source.sourceId,
  status: statusOf(source.state),
  inputs: inputs.map(({ slotMs, slots }, at) => ({
    input: at === 0 ? 0 : 1,
    totals: toWireTotals(slots),
    slots: slots.map((slot) => toWireSlot(slot, slotMs)),
  })),
})

function toWireTotals(slots: readonly SlotHealth[]): WireInput['totals'] {
  const { bitrateKbps, loudnessLufs, delayMs, ...counts } = healthTotals(slots)
  const loudness = loudnessLufs === null ? null : Math.round(10 * loudnessLufs) / 10
  return { ...counts, bitrate_kbps: bitrateKbps, loudness_lufs: loudness, delay_ms: delayMs }
}

const toWireSlot = ({ slot, media }: SlotHealth, slotMs: number): WireInput['slots'][number] => ({
  start_time: new Date(slotStartMs(slot, slotMs)).toISOString(),
  fill: media === null,
  bitrate_kbps: media?.bitrateKbps ?? null,
  loudness_lufs: media?.loudnessLufs ?? null,
  delay_ms: media?.delayMs ?? null,
  black: media?.isBlack ?? false,
  frozen: media?.isFrozen ?? false,
  silent: media?.isSilent ?? false,
})
