import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Program } from '../timeline/span.ts'
import { type GuideParams, guideBetween, guideWithFiller } from './guide-between.ts'
import type { GuideSpan } from './guide-entry.ts'

const MINUTE = 60_000
const DAY_START = Date.UTC(2026, 10, 15)

interface Part {
  readonly gapMinutes: number
  readonly minutes: number
  /** How far its start is off. */
  readonly offTicks: number
  /** Whether an override interrupts it. */
  readonly isInterrupted: boolean
}

const anyPart: fc.Arbitrary<Part> = fc.record({
  gapMinutes: fc.constantFrom(0, 0, 0, 1, 45),
  minutes: fc.integer({ min: 1, max: 180 }),
  offTicks: fc.integer({ min: -72_000, max: 72_000 }),
  isInterrupted: fc.boolean(),
})

const anyParams = fc
  .record({
    parts: fc.array(anyPart, { maxLength: 12 }),
    planned: fc.nat(12),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    isOverridden: fc.boolean(),
    now: fc.nat(48 * 60),
  })
  .map(({ parts, planned, cut, isOverridden, now }): GuideParams => {
    const programs = schedule(parts)
    const aired = programs
      .slice(0, programs.length - planned)
      .flatMap((program, at) => airProgram(program, parts[at]!))
    const committed = cutSpans(fillHoles(aired), cut, isOverridden)
    const endTicks = committed.at(-1)?.endTicks ?? DAY_START * 90
    return {
      aired: committed,
      programs,
      committedUntilMs: Math.floor(endTicks / 90),
      nowMs: DAY_START + now * MINUTE,
      fromMs: DAY_START - 1e9,
      toMs: DAY_START + 1e9,
    }
  })

type Scheduled = Program & { readonly endMs: number }

function schedule(parts: readonly Part[]): Scheduled[] {
  let endMs = DAY_START
  return parts.map(({ gapMinutes, minutes }, at) => {
    const startMs = endMs + gapMinutes * MINUTE
    endMs = startMs + minutes * MINUTE
    return { id: `p${at}`, title: '', description: '', startMs, endMs }
  })
}

function airProgram(program: Scheduled, { offTicks, isInterrupted }: Part): GuideSpan[] {
  const [startTicks, endTicks] = [program.startMs * 90 + offTicks, program.endMs * 90]
  if (!isInterrupted) return [{ program, startTicks, endTicks }]
  const third = Math.floor((endTicks - startTicks) / 3)
  const [cutTicks, backTicks] = [startTicks + third, startTicks + 2 * third]
  return [
    { program, startTicks, endTicks: cutTicks },
    { program: anOverride(cutTicks), startTicks: cutTicks, endTicks: backTicks },
    { program, startTicks: backTicks, endTicks },
  ]
}

const anOverride = (startTicks: number): Program => ({
  id: `o${startTicks}`,
  title: '',
  description: '',
  startMs: Math.floor(startTicks / 90),
  endMs: null,
})

/** Extends each span to the start of the next; gaps of a minute and more are time without a program. */
function fillHoles(spans: readonly GuideSpan[]): GuideSpan[] {
  return spans.flatMap((span, at) => {
    const nextTicks = spans[at + 1]?.startTicks ?? span.endTicks
    if (nextTicks - span.endTicks < 180_000) return [{ ...span, endTicks: nextTicks }]
    return [span, { program: null, startTicks: span.endTicks, endTicks: nextTicks }]
  })
}

/** The timeline up to a point in one of its spans, optionally followed by an override without an end. */
function cutSpans(spans: readonly GuideSpan[], cut: number, isOverridden: boolean): GuideSpan[] {
  const kept = spans.slice(0, Math.ceil(cut * spans.length))
  const last = kept.pop()
  if (last === undefined) return []
  const endTicks = last.startTicks + Math.ceil((last.endTicks - last.startTicks) * (0.5 + cut / 2))
  const open = { program: anOverride(endTicks), startTicks: endTicks, endTicks: 2 ** 53 }
  return [...kept, { ...last, endTicks }, ...(isOverridden ? [open] : [])]
}

test('airings are in order, have a length and do not overlap', () => {
  fc.assert(
    fc.property(anyParams, (params) => {
      const entries = guideBetween(params)

      assert.ok(entries.every(({ startMs, endMs }) => startMs < endMs))
      assert.ok(entries.slice(1).every(({ startMs }, at) => entries[at]!.endMs <= startMs))
    }),
    { numRuns: 500 },
  )
})

test('at any time, the guide contains what the timeline shows', () => {
  fc.assert(
    fc.property(anyParams, (params) => {
      const entries = guideBetween(params)

      for (const { program, startTicks, endTicks } of params.aired) {
        const middleMs = (endTicks < 2 ** 53 ? (startTicks + endTicks) / 2 : startTicks + 90_000) / 90
        const shown = entries.filter(({ startMs, endMs }) => startMs <= middleMs && middleMs < endMs)
        assert.deepEqual(
          shown.map((entry) => entry.program.id),
          program === null ? [] : [program.id],
        )
      }
    }),
    { numRuns: 500 },
  )
})

test('every future scheduled program is in the guide, at its time', () => {
  fc.assert(
    fc.property(anyParams, (params) => {
      const entries = guideBetween(params)

      const isOpen = params.aired.at(-1)?.program?.endMs === null && params.aired.at(-1)?.endTicks === 2 ** 53
      const plannedMs = isOpen
        ? entries.find(({ program }) => program.id === params.aired.at(-1)!.program!.id)!.endMs
        : params.committedUntilMs
      for (const program of params.programs.filter(({ startMs }) => startMs >= plannedMs)) {
        const [entry, ...others] = entries.filter((it) => it.program.id === program.id)
        assert.deepEqual([entry, others], [{ program, startMs: program.startMs, endMs: program.endMs }, []])
      }
    }),
    { numRuns: 500 },
  )
})

test('the order of the given programs makes no difference', () => {
  fc.assert(
    fc.property(anyParams, (params) => {
      const reversed = { ...params, programs: params.programs.toReversed() }

      assert.deepEqual(guideBetween(reversed), guideBetween(params))
    }),
  )
})

test('a part of the guide equals the whole guide filtered by time', () => {
  const anyMinute = fc.integer({ min: -60, max: 48 * 60 })
  fc.assert(
    fc.property(anyParams, anyMinute, anyMinute, (params, from, length) => {
      const [fromMs, toMs] = [DAY_START + from * MINUTE, DAY_START + (from + length) * MINUTE]

      const part = guideBetween({ ...params, fromMs, toMs })

      assert.deepEqual(
        part,
        guideBetween(params).filter(({ startMs, endMs }) => endMs > fromMs && startMs < toMs),
      )
    }),
  )
})

test('with filler the airings are the same, nothing overlaps, and only the time off the air is left out', () => {
  fc.assert(
    fc.property(anyParams, (params) => {
      const entries = guideWithFiller(params)

      assert.deepEqual(
        entries.filter(({ program }) => program !== null),
        guideBetween(params),
      )
      // None of these timelines is off the air.
      assert.ok(entries.slice(1).every(({ startMs }, at) => entries[at]!.endMs === startMs))
    }),
    { numRuns: 500 },
  )
})
