import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Program } from '../timeline/span.ts'
import { type GuideParams, guideBetween, guideWithFiller } from './guide-between.ts'
import type { GuideSpan, ListedEntry } from './guide-entry.ts'

/** A time of day, with optional milliseconds, on the day of these tests. */
const at = (time: string): number => Date.parse(`2026-11-15T${time.length === 5 ? `${time}:00` : time}Z`)

const aProgram = (id: string, start: string, end: string | null): Program => ({
  id,
  title: id,
  description: '',
  startMs: at(start),
  endMs: end === null ? null : at(end),
})

const aSpan = (program: Program | null, start: string, end: string): GuideSpan => ({
  program,
  startTicks: at(start) * 90,
  endTicks: end === '∞' ? 2 ** 53 : at(end) * 90,
})

const news = aProgram('news', '18:00', '19:00')
const film = aProgram('film', '19:00', '21:00')
const late = aProgram('late', '21:30', '22:00')
const game = aProgram('game', '18:20:03.200', null)

const withDefaults = (params: Partial<GuideParams>): GuideParams => ({
  aired: [],
  programs: [],
  committedUntilMs: at('17:00'),
  nowMs: at('18:30'),
  fromMs: at('00:00'),
  toMs: at('23:59'),
  ...params,
})

const guideOf = (params: Partial<GuideParams>): string[] => guideBetween(withDefaults(params)).map(print)

const withFiller = (params: Partial<GuideParams>): string[] =>
  guideWithFiller(withDefaults(params)).map(print)

const print = ({ program, startMs, endMs }: ListedEntry) =>
  `${program?.id ?? 'filler'} ${clock(startMs)}-${clock(endMs)}`

const clock = (ms: number) =>
  new Date(ms)
    .toISOString()
    .slice(11, 23)
    .replace(/:00\.000$|\.000$/, '')

test('an edge up to a second off is shown as announced, and neighbours meet', () => {
  const aired = [
    aSpan(news, '17:59:59.000', '19:00:00.700'),
    aSpan(film, '19:00:00.700', '21:00:01.000'),
    aSpan(null, '21:00:01.000', '21:30:01.001'),
    aSpan(late, '21:30:01.001', '21:59:58.999'),
  ]

  assert.deepEqual(guideOf({ aired, committedUntilMs: at('22:00') }), [
    'news 18:00-19:00',
    'film 19:00-21:00',
    'late 21:30:01.001-21:59:58.999',
  ])
})

test('if two announced times are near, the start counts, and neighbours meet there', () => {
  const early = aProgram('early', '18:00', '18:59:59.500')
  const aired = [aSpan(early, '18:00', '18:59:59.800'), aSpan(film, '18:59:59.800', '21:00')]

  assert.deepEqual(guideOf({ aired, committedUntilMs: at('21:00') }), [
    'early 18:00-19:00',
    'film 19:00-21:00',
  ])
})

test('an airing that is empty after rounding to announced times is not in the guide', () => {
  const flash = aProgram('flash', '19:00:00.300', null)
  const aired = [
    aSpan(news, '18:00', '18:59:59.400'),
    aSpan(flash, '18:59:59.400', '19:00:01.000'),
    aSpan(film, '19:00:01.000', '21:00'),
  ]

  assert.deepEqual(guideOf({ aired, committedUntilMs: at('21:00') }), [
    'news 18:00-19:00:00.300',
    'film 19:00:00.300-21:00',
  ])
})

test('contiguous spans of a program are one airing', () => {
  const aired = [
    aSpan(news, '18:00', '18:10'),
    aSpan({ ...news }, '18:10', '18:12:30.100'),
    aSpan(news, '18:12:30.100', '19:00'),
  ]

  assert.deepEqual(guideOf({ aired, committedUntilMs: at('19:00') }), ['news 18:00-19:00'])
})

test('a program that an override interrupted has two airings, with the override between them', () => {
  const aired = [
    aSpan(news, '18:00', '18:20:03.400'),
    aSpan(game, '18:20:03.400', '18:45:00.600'),
    aSpan(news, '18:45:00.600', '19:00:00.200'),
    aSpan(film, '19:00:00.200', '21:00'),
  ]

  assert.deepEqual(guideOf({ aired, committedUntilMs: at('21:00') }), [
    'news 18:00-18:20:03.200',
    'game 18:20:03.200-18:45:00.600',
    'news 18:45:00.600-19:00',
    'film 19:00-21:00',
  ])
})

test('an override that ends as a program begins ends at the announced start', () => {
  const aired = [aSpan(game, '18:20:03.200', '19:00:00.900'), aSpan(film, '19:00:00.900', '21:00')]

  assert.deepEqual(guideOf({ aired, committedUntilMs: at('21:00') }), [
    'game 18:20:03.200-19:00',
    'film 19:00-21:00',
  ])
})

test('an open override lasts to the end of the program that it covers, and is extended when that has passed', () => {
  const aired = [aSpan(news, '18:00', '18:20:03.200'), aSpan(game, '18:20:03.200', '∞')]
  const on = (now: string) =>
    guideOf({ aired, programs: [late, film], committedUntilMs: at('18:20'), nowMs: at(now) })

  const news1 = 'news 18:00-18:20:03.200'
  assert.deepEqual(on('18:20'), [news1, 'game 18:20:03.200-19:00', 'film 19:00-21:00', 'late 21:30-22:00'])
  assert.deepEqual(on('18:59:59.999'), on('18:20'))
  assert.deepEqual(on('19:00'), [news1, 'game 18:20:03.200-21:00', 'late 21:30-22:00'])
  assert.deepEqual(on('20:59'), on('19:00'))
})

test('an open override outside of programs lasts until the next one begins', () => {
  const aired = [aSpan(game, '18:20:03.200', '∞')]

  const guide = guideOf({ aired, programs: [film, late], nowMs: at('21:10') })

  assert.deepEqual(guide, ['game 18:20:03.200-21:30', 'late 21:30-22:00'])
})

test('an open override without scheduled programs lasts at least an hour, to the next half hour', () => {
  const aired = [aSpan(game, '18:20:03.200', '∞')]
  const on = (now: string) => guideOf({ aired, nowMs: at(now) })

  assert.deepEqual(on('18:30'), ['game 18:20:03.200-19:30'])
  assert.deepEqual(on('18:30:00.001'), ['game 18:20:03.200-20:00'])
  assert.deepEqual(on('18:00'), ['game 18:20:03.200-19:30'])
})

test('the guide does not depend on whether an open override counts as committed', () => {
  const aired = [aSpan(news, '18:00', '18:20:03.200'), aSpan(game, '18:20:03.200', '∞')]

  const [short, endless] = [at('18:20:03.200'), at('18:00') + 1e12].map((committedUntilMs) =>
    guideOf({ aired, programs: [film], committedUntilMs }),
  )

  assert.deepEqual(short, endless)
})

test('an override that has ended is not open, even if nothing follows it', () => {
  const aired = [aSpan(game, '18:20:03.200', '18:30:01.000')]

  assert.deepEqual(guideOf({ aired, committedUntilMs: at('18:30:01.000') }), ['game 18:20:03.200-18:30:01'])
})

test('after the committed timeline, the guide is the schedule', () => {
  const aired = [aSpan(news, '18:00:00.400', '19:00:00.300')]

  const guide = guideOf({ aired, programs: [late, news, film], committedUntilMs: at('19:00:00.300') })

  assert.deepEqual(guide, ['news 18:00-19:00', 'film 19:00-21:00', 'late 21:30-22:00'])
})

test('a short gap in the schedule is a gap in the guide', () => {
  const next = aProgram('next', '19:00:00.500', '20:00')

  assert.deepEqual(guideOf({ programs: [news, next] }), ['news 18:00-19:00', 'next 19:00:00.500-20:00'])
})

test('a partly committed program is one airing', () => {
  const committedTicks = at('18:10') * 90 + 37
  const aired = [{ program: news, startTicks: at('18:00') * 90, endTicks: committedTicks }]

  for (const committedUntilMs of [at('18:10'), at('18:10') + 1])
    assert.deepEqual(guideOf({ aired, programs: [news, film], committedUntilMs }), [
      'news 18:00-19:00',
      'film 19:00-21:00',
    ])
  assert.deepEqual(guideOf({ aired, committedUntilMs: at('18:10') }), ['news 18:00-19:00'])
})

test('a program that was scheduled over committed time begins at its end', () => {
  const aired = [aSpan(null, '17:00', '18:10')]

  assert.deepEqual(guideOf({ aired, programs: [news], committedUntilMs: at('18:10') }), ['news 18:10-19:00'])
})

test('overlapping programs are shown one after the other', () => {
  const over = aProgram('over', '18:30', '19:30')
  const within = aProgram('within', '18:10', '18:50')

  assert.deepEqual(guideOf({ programs: [over, within, news] }), ['news 18:00-19:00', 'over 19:00-19:30'])
})

test('airings that overlap the requested time are complete, and no others are returned', () => {
  const programs = [news, film, late]
  const between = (from: string, to: string) => guideOf({ programs, fromMs: at(from), toMs: at(to) })

  assert.deepEqual(between('18:59', '19:01'), ['news 18:00-19:00', 'film 19:00-21:00'])
  assert.deepEqual(between('19:00', '21:30'), ['film 19:00-21:00'])
  assert.deepEqual(between('21:00', '21:30'), [])
})

test('filler time is listed between airings, committed and planned, and meets them', () => {
  const aired = [
    aSpan(null, '17:40', '17:59:59.600'),
    aSpan(news, '17:59:59.600', '19:00:00.300'),
    aSpan(null, '19:00:00.300', '19:00:00.900'),
    aSpan(film, '19:00:00.900', '21:00'),
    aSpan(null, '21:00', '21:10'),
  ]

  const guide = withFiller({ aired, programs: [late], committedUntilMs: at('21:10') })

  assert.deepEqual(guide, [
    'filler 17:40-18:00',
    'news 18:00-19:00',
    'film 19:00-21:00',
    'filler 21:00-21:30',
    'late 21:30-22:00',
  ])
})

test('filler time ends with the committed timeline, and begins where the guide does', () => {
  const aired = [aSpan(null, '03:00', '18:00'), aSpan(news, '18:00', '19:00'), aSpan(null, '19:00', '20:15')]

  const guide = withFiller({ aired, committedUntilMs: at('20:15'), fromMs: at('14:30') })

  assert.deepEqual(guide, ['filler 14:30-18:00', 'news 18:00-19:00', 'filler 19:00-20:15'])
})

test('time off the air is not filler', () => {
  const offAir = { ...aSpan(null, '19:00', '20:00'), isOffAir: true } as const
  const aired = [aSpan(news, '18:00', '19:00'), offAir, aSpan(null, '20:00', '20:30')]

  const guide = withFiller({ aired, programs: [late], committedUntilMs: at('20:30') })

  assert.deepEqual(guide, ['news 18:00-19:00', 'filler 20:00-21:30', 'late 21:30-22:00'])
})
