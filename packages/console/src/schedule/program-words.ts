import { NOTICE_MS } from '@continuity/core/ingest/check-window'
import type { Tone } from '../shared/status-badge.tsx'
import type { Program } from '../shared/wire-types.ts'

export const isOverride = ({ origin }: Program): boolean => origin.type === 'OPERATOR' && origin.id === null

export type OriginKind = 'ingest' | 'one-off' | 'rule' | 'override'

export function originKind(program: Program): OriginKind {
  if (isOverride(program)) return 'override'
  return ({ REQUEST: 'ingest', OPERATOR: 'one-off', RULE: 'rule' } as const)[program.origin.type]
}

export const originWords: Readonly<Record<OriginKind, string>> = {
  ingest: 'Ingest',
  'one-off': 'One-off',
  rule: 'Rule',
  override: 'Override',
}

export const stateWords: Readonly<Record<Program['state'], string>> = {
  AIRED: 'Aired',
  ON_AIR: 'On air',
  COMMITTED: 'Committed',
  PLANNED: 'Planned',
  FAILED: 'Failed',
}

export const stateTones: Readonly<Record<Program['state'], Tone>> = {
  AIRED: 'quiet',
  ON_AIR: 'bad',
  COMMITTED: 'good',
  PLANNED: 'busy',
  FAILED: 'warning',
}

export const stateMeanings: Readonly<Record<Program['state'], string>> = {
  AIRED: 'It has ended. These are the times at which it was shown.',
  ON_AIR: 'Viewers see it now.',
  COMMITTED: 'Playout has it: rules do not move it any more.',
  PLANNED: 'It is in the schedule.',
  FAILED: 'It cannot be shown; its time is filled.',
}

/** Why a program can be neither moved nor changed; undefined if it can. */
export function reasonAgainstChange(program: Program, nowMs: number): string | undefined {
  const reason = reasonAgainstRemoval(program, nowMs)
  if (reason !== undefined) return reason
  if (program.origin.type === 'REQUEST') {
    return 'It was ingested: its partner changes it by submitting it again. It can be removed here.'
  }
  return undefined
}

export function reasonAgainstRemoval(program: Program, nowMs: number): string | undefined {
  if (isOverride(program)) return 'An override ends when its channel is returned to the schedule.'
  if (program.state === 'AIRED') return 'It has aired.'
  if (program.state === 'ON_AIR') return 'It is on air. Override the channel to show something else.'
  if (program.state === 'FAILED') return 'It has failed, and takes no time of the schedule.'
  if (Date.parse(program.start_time) < nowMs + NOTICE_MS) {
    return `It starts within ${NOTICE_MS / 1_000} seconds. Override the channel to show something else.`
  }
  return undefined
}
