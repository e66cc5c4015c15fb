import { splitRun } from '@continuity/core/planning/make-run'
import { planSchedule, planStart } from '@continuity/core/planning/plan'
import { ticksOf } from '@continuity/core/time/ticks'
import { encodeRun } from '@continuity/core/timeline/codec/run-codec'
import { CUT_MARGIN_MS } from '@continuity/core/timeline/cut-margin'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { plannedUntil } from '@continuity/core/timeline/planned-until'
import { applyRun, dropBefore, emptyTimeline, type Timeline } from '@continuity/core/timeline/run'
import { faultsOf } from '@continuity/core/timeline/timeline-faults'
import { createDraw } from '@continuity/dev/draw'
import { measured } from '@continuity/dev/measured'
import { proof } from './proof.ts'
import { createListedCounter, createTexts, createViewer, outputOf, printAt } from './shared/channel-nodes.ts'
import { createNames, someProgram, someSlates } from './shared/random-schedule.ts'

interface Year {
  readonly days: number
}

const DAY_MS = 86_400_000
const BEGIN_MS = Date.UTC(2026, 0, 1)
const PROGRAM_MS = 1_800_000

export const channelYear = proof<Year>({
  name: 'channel-year',
  title: 'A channel that runs for a year',
  promise:
    'A channel of half-hour programs runs for a year: every six hours a day ahead is planned, and what is older than a day ' +
    'and a window is dropped. No program begins more than a second off its time, on the last day as on the first; the ' +
    'timeline in memory does not grow; and the playlist validator, which reads ten minutes of every day, always gets a ' +
    'playlist and finds no fault in it.',
  sizes: { small: { days: 60 }, full: { days: 365 } },
  async run({ size: { days }, seed, log }) {
    const draw = createDraw(seed)
    const names = createNames()
    const slates = someSlates(draw, names)
    const output = outputOf(32_000, 'BOTH', 'ACTUAL')
    const viewer = createViewer(output)
    const texts = createTexts()
    const startsMs = new Map<string, number>()
    const bytes: number[] = []
    let worstMs = 0
    let begun = 0
    const listed = createListedCounter()
    let faults = 0
    let missing = 0
    let playlists = 0
    let timeline: Timeline = emptyTimeline
    const programsOf = (fromMs: number) =>
      Array.from({ length: (2 * DAY_MS) / PROGRAM_MS }, (_, at) => fromMs + at * PROGRAM_MS).map(
        (startMs) => {
          const own = createDraw(seed + startMs / PROGRAM_MS)
          const { program, items } = someProgram(own, createNames(), startMs, startMs + PROGRAM_MS)
          return { program: { ...program, id: `program-${startMs}` }, items }
        },
      )

    for (let nowMs = BEGIN_MS; nowMs < BEGIN_MS + days * DAY_MS; nowMs += DAY_MS / 4) {
      const onAir = { timeline, live: noLive, nowMs }
      const schedule = { programs: programsOf(nowMs - (nowMs % PROGRAM_MS)), slates, untilMs: nowMs + DAY_MS }
      const plannedTicks = plannedUntil(timeline)
      const planned =
        plannedTicks === undefined
          ? { kind: 'planned' as const, run: planStart(onAir, schedule) }
          : planSchedule(onAir, schedule, plannedTicks / 90)
      if (planned.kind === 'rejected') throw new Error('the channel is off the air')
      for (const run of splitRun(planned.run)) timeline = applyRun(timeline, run)
      for (const { airing, startTicks } of planned.run.spans) {
        const { program } = airing
        if (program === null || startsMs.has(program.id) || program.startMs < nowMs + CUT_MARGIN_MS) continue
        startsMs.set(program.id, startTicks / 90)
        worstMs = Math.max(worstMs, Math.abs(startTicks / 90 - program.startMs))
        begun += 1
      }
      if (startsMs.size > 200) for (const id of [...startsMs.keys()].slice(0, 100)) startsMs.delete(id)
      timeline = dropBefore(timeline, ticksOf(nowMs - DAY_MS - output.windowMs))
      faults += faultsOf(timeline).length
      if (nowMs % DAY_MS === 0) {
        bytes.push(timeline.runs.reduce((sum, run) => sum + encodeRun(run).length, 0))
        viewer.validator.restart()
        for (let atMs = nowMs + 5_000; atMs < nowMs + 600_000; atMs += 1 + draw.below(6_000)) {
          const text = printAt(timeline, { output, rung: '360p', atMs }, noLive, texts)
          viewer.checkMedia(atMs, '360p', text)
          if (text === undefined) missing += 1
          else {
            playlists += 1
            listed.add(text)
          }
        }
      }
    }
    for (const { rule, detail } of viewer.validator.violations.slice(0, 5)) log(`${rule}: ${detail}`)
    const settled = bytes.slice(3)
    const { segments, discontinuities, breaks } = listed.counts()
    return measured({
      // The last plan is made six hours before the end and covers a day; the first program began before any plan.
      programs_planned: [begun, { atLeast: (days + 0.75) * (DAY_MS / PROGRAM_MS) - 1 }],
      worst_start_ms: [Math.ceil(worstMs), { atMost: 1_000 }],
      timeline_kb_largest: Math.ceil(Math.max(...settled) / 1_024),
      timeline_growth: [
        Math.round((settled.slice(-30).reduce(sum) / settled.slice(0, 30).reduce(sum)) * 1_000) / 1_000,
        { atMost: 1.1 },
      ],
      faults_of_timelines: [faults, { is: 0 }],
      playlists: [playlists, { atLeast: 150 * days }],
      playlists_missing: [missing, { is: 0 }],
      segments_listed: [segments, { atLeast: 150 * days }],
      discontinuities_listed: [discontinuities, { atLeast: 8 * days }],
      ad_breaks_listed: [breaks, { atLeast: days }],
      violations: [viewer.validator.count(), { is: 0 }],
    })
  },
})

const sum = (one: number, other: number): number => one + other
