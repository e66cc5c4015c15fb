import type { Draw } from '@continuity/dev/draw'
import { pollUntil } from '@continuity/dev/waiting'
import { createChannel, createOutput, PATIENCE_MS, putOnAir } from '../on-air/channels.ts'
import { untilPlanned } from '../on-air/full-day.ts'
import type { OnAirSystem } from '../on-air/on-air-system.ts'
import { directOf, type WatchedOutput } from '../on-air/output-watch.ts'
import { type Item, schedulePrograms } from '../on-air/programs.ts'
import { readAired } from './counted.ts'

const PROGRAM_MS = 600_000

/** All programs are handed over by then. */
export const AHEAD_MS = 12 * 60_000

/** Two channels with programs of clips, promos and pods, and time between them that nothing covers; two outputs of each. */
export async function putProgramsOnAir(
  system: OnAirSystem,
  draw: Draw,
  { steps }: { readonly steps: number },
) {
  const other = await createChannel(system, { title: 'Another' })
  const outputs = [system.channelId, other].flatMap((channelId): WatchedOutput[] => [
    directOf(channelId),
    { ...directOf(channelId), distributor: 'cues', windowMs: 60_000 },
  ])
  for (const output of outputs) {
    if (output.distributor !== 'direct') await createOutput(system, output)
    else await putOnAir(system, output)
  }
  const firstMs = Math.ceil(system.nowMs() / 60_000) * 60_000 + AHEAD_MS
  const count = Math.ceil((steps * 1_000) / PROGRAM_MS) + 1
  for (const channelId of [system.channelId, other]) {
    const plans = Array.from({ length: count }, (_, at) => ({
      channelId,
      startMs: firstMs + at * PROGRAM_MS,
      durationMs: PROGRAM_MS - 60_000,
      items: draw.some(15, 25, (): Item => {
        if (draw.chance(0.2)) return { podSeconds: 5 + draw.below(20) }
        const clip = draw.below(system.clips.length)
        return draw.chance(0.3) ? { promo: clip } : { clip }
      }),
    }))
    await schedulePrograms(system, plans, PATIENCE_MS)
  }
  await untilPlanned(system, firstMs + count * PROGRAM_MS)
  return { outputs, firstMs }
}

const TRIES = 12

/** What was aired up to a time. The record is written every ten minutes, which the clock is driven over. */
export async function untilRecorded(
  system: OnAirSystem,
  untilMs: number,
  drive: (toMs: number) => Promise<void>,
) {
  const isRecorded = async () => {
    const aired = await readAired(system)
    const ends = Map.groupBy(aired, ({ channelId }) => channelId).values()
    const isSo = [...ends].every((entries) =>
      entries.some(({ endTicks }) => endTicks >= (untilMs + 60_000) * 90),
    )
    return isSo ? aired : undefined
  }
  // Where something was not published yet, it is recorded ten seconds later, and the clock does not run.
  for (let tries = 0; tries < TRIES; tries += 1) {
    await drive(untilMs + 11 * 60_000 + tries * 15_000)
    const aired = await pollUntil(isRecorded, PATIENCE_MS / TRIES)
    if (aired !== undefined) return aired
  }
  throw new Error('the as-run record was not written in time')
}
