import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordedProgram } from './memory.ts'
import { planAgain } from './plan-again.ts'
import { type CatalogVideo, emptyPlanState } from './plan-input.ts'
import { planSchedule } from './plan-schedule.ts'
import { readPlanRules } from './read-plan-rules.ts'
import { aCatalog, aSeries } from './testing/a-catalog.ts'

const START_MS = Date.parse('2026-11-16T00:00:00Z')
const at = (hour: number) => START_MS + hour * 3_600_000

const read = readPlanRules({
  time_zone: 'UTC',
  default: { content: { series_ids: ['s'] }, order: 'NEXT_EPISODE' },
})
assert.ok(read.kind === 'rules')
const { rules } = read
const all = aSeries('s', 30, { minutes: 60 })
const base = { rules, seed: 1, fixed: [] }

/** An hour for each episode, from midnight on. */
const { programs } = planSchedule({
  ...base,
  catalog: aCatalog(all),
  state: emptyPlanState,
  from_ms: START_MS,
  to_ms: at(12),
})

interface Again {
  readonly videos?: readonly CatalogVideo[]
  readonly known?: readonly RecordedProgram[]
  readonly state?: number
  readonly replaceable?: number
  readonly from?: number
}

function again({ videos = all, known = programs, state = 0, replaceable = 2, from = 12 }: Again) {
  const result = planAgain({
    ...base,
    catalog: aCatalog(videos),
    state: emptyPlanState,
    state_ms: at(state),
    known,
    replaceable_ms: at(replaceable),
    from_ms: at(from),
    to_ms: at(12),
  })
  const hour = (ms: number) => (ms - START_MS) / 3_600_000
  return {
    ...result,
    from: hour(result.from_ms),
    listed: result.programs.map(({ start_ms, video_id }) => `${hour(start_ms)} ${video_id}`),
  }
}

test('programs are planned again from a time on, and continue after those that stay', () => {
  const { from, listed } = again({ from: 9 })

  assert.equal(from, 9)
  assert.deepEqual(listed, ['9 s-10', '10 s-11', '11 s-12'])
})

test('what can no longer be replaced stays, whatever is asked for', () => {
  const { from, listed } = again({ from: 0, replaceable: 10 })

  assert.equal(from, 10)
  assert.deepEqual(listed, ['10 s-11', '11 s-12'])
})

test('the episode of a program that was removed is still to come', () => {
  const { listed } = again({ from: 10, known: programs.filter(({ video_id }) => video_id !== 's-10') })

  assert.deepEqual(listed, ['10 s-10', '11 s-11'])
})

test('from the first program on whose video has left the catalog, everything is planned again', () => {
  const without = (...gone: readonly string[]) => all.filter(({ video_id }) => !gone.includes(video_id))

  assert.deepEqual(again({ videos: without('s-11', 's-12') }).listed, ['10 s-13', '11 s-14'])
  assert.deepEqual(again({ videos: without('s-3') }).from, 2)
  // It can no longer be replaced.
  assert.deepEqual(again({ videos: without('s-2') }).from, 12)
})

test('a video that expires before the end of its program has left, and one that expires with it has not', () => {
  const expiring = (hour: number) =>
    all.map((video) =>
      video.video_id === 's-11' ? { ...video, date_expired: new Date(at(hour)).toISOString() } : video,
    )

  assert.deepEqual(again({ videos: expiring(10.9) }).listed, ['10 s-12', '11 s-13'])
  assert.deepEqual(again({ videos: expiring(11) }).listed, [])
})

test('the state that is returned is that after all programs that can no longer be replaced', () => {
  const { state, state_ms } = again({ from: 9, replaceable: 4 })

  assert.equal(state_ms, at(4))
  assert.equal(state.until_ms, at(4))
  assert.equal(state.tracks['main']?.positions['s']?.video_id, 's-4')

  const next = planAgain({
    ...base,
    catalog: aCatalog(all),
    state,
    state_ms,
    known: programs,
    replaceable_ms: at(3),
    from_ms: at(6),
    to_ms: at(8),
  })
  assert.equal(next.state_ms, at(4))
  assert.deepEqual(
    next.programs.map(({ video_id }) => video_id),
    ['s-7', 's-8'],
  )
})
