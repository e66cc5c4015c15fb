import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Airing, ComponentType, Program } from '../timeline/span.ts'
import { type AiredSegment, type AsRunEntry, addSegment, asRunOf } from './as-run.ts'

const SEGMENT = 288_000

const aProgram = (id: string): Program => ({ id, title: id, description: '', startMs: 0, endMs: 3_600_000 })

const news = aProgram('news')

const anAiring = (fields: Partial<Airing> = {}): Airing => ({
  program: news,
  component: 0,
  type: 'VIDEO',
  referenceId: 'v1',
  title: 'Evening news',
  ...fields,
})

/** Contiguous segments of equal length. */
const inARow = (airings: readonly Airing[], startTicks = 0): AiredSegment[] =>
  airings.map((airing, at) => ({
    startTicks: startTicks + at * SEGMENT,
    durationTicks: SEGMENT,
    airing,
    breakSequence: null,
  }))

test('the segments of one airing are one entry, from the first to the end of the last', () => {
  const [first, second] = inARow([anAiring(), anAiring()], 90_000)
  const tail = { ...second!, startTicks: 90_000 + 2 * SEGMENT, durationTicks: 144_003 }

  const entries = asRunOf([first!, second!, tail])

  assert.deepEqual(entries, [
    {
      ...anAiring(),
      breakSequence: null,
      startTicks: 90_000,
      endTicks: 90_000 + 2 * SEGMENT + 144_003,
      segments: 3,
    },
  ])
})

test('any change of the airing begins a new entry', () => {
  const changes: readonly Partial<Airing>[] = [
    { program: aProgram('sports') },
    { program: null },
    { component: 1 },
    { type: 'INTERSTITIAL' },
    { referenceId: 'v2' },
    { referenceId: null },
    { title: 'Late news' },
  ]

  for (const change of changes) {
    const entries = asRunOf(inARow([anAiring(), anAiring(change), anAiring()]))

    assert.deepEqual(
      entries.map(({ startTicks }) => startTicks / SEGMENT),
      [0, 1, 2],
      JSON.stringify(change),
    )
  }
})

test('a program that was read again is still the same program', () => {
  const entries = asRunOf(inARow([anAiring(), anAiring({ program: { ...news } })]))

  assert.equal(entries.length, 1)
})

test('time that is missing from the record is in no entry', () => {
  const [before, , after] = inARow([anAiring(), anAiring(), anAiring()])

  const entries = asRunOf([before!, after!])

  assert.deepEqual(
    entries.map(({ startTicks, endTicks }) => [startTicks / SEGMENT, endTicks / SEGMENT]),
    [
      [0, 1],
      [2, 3],
    ],
  )
})

test('a live source that lost its signal and had a break is recorded as it was shown', () => {
  const types: readonly ComponentType[] = ['LIVE', 'LIVE', 'SLATE', 'LIVE', 'AD_POD', 'AD_POD', 'LIVE']

  const entries = asRunOf(inARow(types.map((type) => anAiring({ type, referenceId: 's1' }))))

  assert.deepEqual(
    entries.map(({ type, segments }) => `${type} ${segments}`),
    ['LIVE 2', 'SLATE 1', 'LIVE 1', 'AD_POD 2', 'LIVE 1'],
  )
})

test('two adjacent ad breaks are two entries, and a continued one is one', () => {
  const pods = inARow(Array.from({ length: 5 }, () => anAiring({ type: 'AD_POD', referenceId: null })))
  const breaks = [7, 7, 9, 9, 9]

  const entries = asRunOf(pods.map((it, at) => ({ ...it, breakSequence: breaks[at]! })))

  assert.deepEqual(
    entries.map(({ breakSequence, segments }) => [breakSequence, segments]),
    [
      [7, 2],
      [9, 3],
    ],
  )
})

test('without segments, the record is empty', () => {
  assert.deepEqual(asRunOf([]), [])
})

const anyAiring = fc.record({
  program: fc.constantFrom(null, news, aProgram('sports')),
  component: fc.nat(1),
  type: fc.constantFrom<ComponentType>('VIDEO', 'LIVE'),
  referenceId: fc.constantFrom(null, 'v1'),
  title: fc.constantFrom('', 'a'),
})

const anySegments = fc
  .array(
    fc.record({
      airing: anyAiring,
      breakSequence: fc.constantFrom(null, 7, 9),
      durationTicks: fc.integer({ min: 1, max: 9 }),
      gap: fc.nat(1),
    }),
  )
  .map((parts) => {
    let endTicks = 0
    return parts.map(({ airing, breakSequence, durationTicks, gap }): AiredSegment => {
      const startTicks = endTicks + gap
      endTicks = startTicks + durationTicks
      return { startTicks, durationTicks, airing, breakSequence }
    })
  })

test('no segment is lost or recorded twice, and neighbouring entries differ', () => {
  fc.assert(
    fc.property(anySegments, (segments) => {
      const entries = asRunOf(segments)

      const ticksIn = (of: readonly { startTicks: number; endTicks: number }[]) =>
        of.reduce((sum, { startTicks, endTicks }) => sum + endTicks - startTicks, 0)
      assert.equal(
        ticksIn(entries),
        segments.reduce((sum, { durationTicks }) => sum + durationTicks, 0),
      )
      assert.equal(
        entries.reduce((sum, entry) => sum + entry.segments, 0),
        segments.length,
      )
      entries.slice(1).forEach((entry, at) => {
        const before = entries[at]!
        assert.ok(before.endTicks <= entry.startTicks)
        assert.ok(before.endTicks < entry.startTicks || sameness(before) !== sameness(entry))
      })
    }),
  )
})

test('a record that another process continues is the same record', () => {
  fc.assert(
    fc.property(anySegments, (segments) => {
      const entries: AsRunEntry[] = []
      let written = 'null'
      for (const segment of segments) {
        const open: AsRunEntry | null = JSON.parse(written)
        const step = addSegment(open ?? undefined, segment)
        if (step.closed !== undefined) entries.push(step.closed)
        written = JSON.stringify(step.open)
      }
      if (written !== 'null') entries.push(JSON.parse(written))

      assert.deepEqual(entries, asRunOf(segments))
    }),
  )
})

const sameness = ({ program, component, type, referenceId, title, breakSequence }: AsRunEntry) =>
  JSON.stringify([program?.id, component, type, referenceId, title, breakSequence])
