import { shuffle } from '../channel-rules/random-schedule.ts'
import { createDraw } from '../draw.ts'
import type { Proof } from './proof.ts'

/** Those that their own tests run, each time. */
export const ALWAYS_RUN: ReadonlySet<string> = new Set([
  'channel-histories',
  'channel-walk',
  'channel-year',
  'delayed-outputs',
  'filter-trees',
  'first-start',
  'hostile-addresses',
  'ingest-accept',
  'jobs',
  'killed-test-runs',
  'live-loudness',
  'media',
  'refresh',
  'snapshot-corruption',
  'visibility',
])

/** Proofs whose controls CI runs with this commit: all of them would take an hour. The same for the same commit. */
export function drawControls(proofs: readonly Proof[], commit: string, count: number): readonly Proof[] {
  const rest = proofs.filter(({ name }) => !ALWAYS_RUN.has(name))
  return shuffle(createDraw(Number.parseInt(commit.slice(0, 8), 16)), rest).slice(0, count)
}
