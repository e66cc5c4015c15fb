import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planOverride, planStop } from '@continuity/core/planning/plan'
import { aPod, aProgram, aVideo, ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { anyHistory, historyView, playHistory } from '@continuity/core/timeline/testing/a-history'
import { aLiveRun, aRun, breaksFor, loops, plays } from '@continuity/core/timeline/testing/a-run'
import { aLog, aTimeline, aView } from '@continuity/core/timeline/testing/a-timeline'
import {
  anOverride,
  aSchedule,
  onAirAt,
  planned,
  started,
} from '@continuity/core/timeline/testing/control-room'
import { printAt } from '@continuity/core/timeline/testing/print-at'
import { shiftDates } from '@continuity/core/timeline/testing/shift-dates'
import { parseXmltv } from '@iptv/xmltv'
import fc from 'fast-check'
import { aChannel, aFeed, anOutput } from './testing/a-feed.ts'
import { aNode } from './testing/a-node.ts'
import { requestMany } from './testing/request-many.ts'

const HOUR = 3_600
const DAY_MS = 86_400_000

const delayed = (delayMs: number, over = {}) => anOutput({ distributor: 'later', delayMs, ...over })
const codeOf = (text: string): unknown => (JSON.parse(text) as { code: unknown }).code

/** On air from second 0: slate, 320 s of a video followed by a break of 32 s, slate for a day and more. */
const aDay = aRun(
  { startSeconds: -32, shownFromSeconds: 0 },
  loops('lead', 20),
  plays('film', 100),
  breaksFor(20),
  loops('fill', 60_000),
)

test('a delayed playlist is that of the channel so much earlier but for its dates, for any history', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      anyHistory,
      fc.integer({ min: 1, max: 400 }).map((seconds) => seconds * 1_000),
      async (steps, delayMs) => {
        const node = await aNode(t, historyView)
        const outputs = [
          ['plain', { windowMs: 32_000, markers: 'BOTH', breakPolicy: 'ACTUAL' }],
          ['wide', { windowMs: 120_000, markers: 'DATERANGE', breakPolicy: 'FULL_LENGTH' }],
        ] as const
        const channel = aChannel({
          outputs: outputs.flatMap(([distributor, fields]) => [
            anOutput({ distributor, ...fields }),
            anOutput({ distributor: `${distributor}-later`, delayMs, ...fields }),
          ]),
        })
        const changes = playHistory(steps)
        const feed = aFeed(
          changes.map(({ run }) => run),
          channel,
        )
        const read = async (file: string, distributor: string) => {
          const { status, text } = await node.get(file, distributor)
          return status === 200 ? text : `${status} ${String(codeOf(text))}`
        }
        node.apply(feed[0]!)
        // What the channel showed is recorded when it showed it, before the node knows what came later.
        const endMs = changes.at(-1)!.atMs + 120_000
        const recorded = new Map<string, string>()
        let applied = 0
        for (let atMs = ORIGIN_MS; atMs < endMs + delayMs; atMs += 7_000) {
          for (; applied < changes.length && changes[applied]!.atMs <= atMs; applied += 1) {
            node.setMs(changes[applied]!.atMs)
            node.apply(feed[applied + 1]!)
          }
          for (const [distributor] of outputs) {
            node.setMs(atMs)
            for (const file of ['360p.m3u8', '360p.m3u8?_HLS_skip=YES']) {
              recorded.set(`${distributor} ${file} ${atMs}`, await read(file, distributor))
            }
          }
          // Multiples of 7 s: a delayed request is made for one that was recorded.
          const thenMs = atMs - Math.ceil(delayMs / 7_000) * 7_000
          if (thenMs < ORIGIN_MS) continue
          node.setMs(thenMs + delayMs)
          for (const [distributor] of outputs) {
            for (const file of ['360p.m3u8', '360p.m3u8?_HLS_skip=YES']) {
              const expected = recorded.get(`${distributor} ${file} ${thenMs}`)!
              assert.equal(await read(file, `${distributor}-later`), shiftDates(expected, delayMs))
            }
          }
        }
        assert.deepEqual(node.faults, [])
      },
    ),
    { numRuns: 6 },
  )
})

test('a delayed output begins its delay after the channel, and is off air before', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay], aChannel({ outputs: [anOutput(), delayed(HOUR * 1_000)] })))
  const statesAt = async (seconds: number) => {
    node.setSeconds(seconds)
    const answers = [await node.get('720p.m3u8', 'later'), await node.get('index.m3u8', 'later')]
    return answers.map(({ status, text }) => (status === 200 ? 200 : codeOf(text)))
  }

  assert.deepEqual(await statesAt(HOUR - 0.001), ['channel.offline', 'channel.offline'])
  assert.deepEqual(await statesAt(HOUR), [200, 200])
})

test('a delayed output shows the end of a stopped channel its delay later', async (t) => {
  const node = await aNode(t)
  const day = started(aSchedule(HOUR, aProgram(0, HOUR, aVideo('film', HOUR))))
  const stop = planned(planStop(onAirAt(day, 600)))
  node.apply(...aFeed([...day.runs, stop], aChannel({ outputs: [anOutput(), delayed(DAY_MS)] })))
  const read = async (distributor: string, seconds: number) => {
    node.setSeconds(seconds)
    const { status, text } = await node.get('360p.m3u8', distributor)
    return status === 200 ? (text.endsWith('#EXT-X-ENDLIST\n') ? 'ended' : 'on air') : codeOf(text)
  }
  const seconds = [599, 620, 670]

  const direct = []
  for (const second of seconds) direct.push(await read('direct', second))
  const later = []
  for (const second of seconds) later.push(await read('later', 24 * HOUR + second))

  assert.deepEqual(direct, ['on air', 'ended', 'channel.offline'])
  assert.deepEqual(later, direct)
})

test('a cut of the channel does not change what a delayed output shows before it', async (t) => {
  const node = await aNode(t, aView())
  const outputs = [anOutput(), delayed(60_000)]
  const cut = aRun({ number: 2, sequence: 52, startSeconds: 70.4, discontinuity: 2 }, loops('rescue', 900))
  const feed = aFeed([aDay, cut], aChannel({ outputs }))
  node.apply(...feed.slice(0, -1))
  node.setSeconds(80)
  const before = await node.get('720p.m3u8', 'later')

  // Late for the channel, which has listed segments after it.
  node.apply(feed.at(-1)!)
  const after = await node.get('720p.m3u8', 'later')
  node.setSeconds(140)

  assert.equal(after.text, before.text)
  assert.match((await node.get('720p.m3u8', 'later')).text, /rescue/)
})

test('delay and shift are a day together at most', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay], aChannel({ outputs: [anOutput(), delayed(23 * HOUR * 1_000)] })))
  node.setSeconds(25 * HOUR)
  const startAt = (agoSeconds: number) => new Date(ORIGIN_MS + (25 * HOUR - agoSeconds) * 1_000).toISOString()

  const shifted = await node.get('720p.m3u8?shift_ms=3600000', 'later')
  const beyond = await node.get('720p.m3u8?shift_ms=3610000', 'later')
  const from = await node.get(`index.m3u8?start=${startAt(HOUR)}`, 'later')
  const tooEarly = await node.get(`index.m3u8?start=${startAt(HOUR + 1)}`, 'later')

  // The dates are later by the delay alone: by the shift the viewer is behind them.
  const expected = printAt(aTimeline(aDay), ORIGIN_MS + HOUR * 1_000, { windowMs: 32_000 }, noLive)!
  assert.equal(shifted.text, shiftDates(expected, 23 * HOUR * 1_000))
  assert.deepEqual([beyond.status, codeOf(beyond.text)], [400, 'shift.invalid'])
  assert.match(beyond.text, /from 0 to 3600000,/)
  assert.match(from.text, /&shift_ms=3600000\n/)
  assert.deepEqual([tooEarly.status, codeOf(tooEarly.text)], [400, 'start.invalid'])
})

test('a node keeps what a delay of a day and the longest window need, also after an update and of live sources', async (t) => {
  const fields = { windowMs: 300_000, breakPolicy: 'FULL_LENGTH' } as const
  const live = aView(aLog([109]))
  const node = await aNode(t, live)
  // The channel shows a live source for twelve hours, its longest span, then the schedule.
  const segments = (12 * HOUR) / 3.2
  const runs = [
    aDay,
    aLiveRun({ number: 2, sequence: 40, startSeconds: 51.2, discontinuity: 2, segments }),
    aRun(
      { number: 3, sequence: 40 + segments, startSeconds: 51.2 + 12 * HOUR, discontinuity: 9 },
      ...Array.from({ length: 400 }, (_, at) => [plays(`film-${at}`, 90), loops('pause', 7)]).flat(),
    ),
  ]
  const outputs = [anOutput(fields), delayed(DAY_MS, fields)]
  const channel = aChannel({ outputs })
  const feed = aFeed(runs, channel)
  let version = feed.length
  node.setSeconds(0)
  node.apply(...feed)
  for (const hours of [0.1, 1, 6, 12, 12.05, 12.5]) {
    node.setSeconds((24 + hours) * HOUR)
    // The node drops what it does not need at every update.
    version += 1
    node.apply({ kind: 'change', epoch: 1, version, channel, runs: [], settled: [] })
    const thenMs = ORIGIN_MS + hours * HOUR * 1_000
    const expected = printAt(aTimeline(...runs), thenMs, { windowMs: 300_000, policy: 'FULL_LENGTH' }, live)!

    assert.equal((await node.get('720p.m3u8', 'later')).text, shiftDates(expected, DAY_MS), `${hours} h`)
  }
})

test('a delayed playlist is rendered once for all viewers, and time-shifted viewers do not evict it', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay], aChannel({ outputs: [anOutput(), delayed(HOUR * 1_000)] })))
  node.setSeconds(6 * HOUR)
  const viewers = Array.from({ length: 100 }, (_, viewer) => node.pathOf(`360p.m3u8?sid=${viewer}`, 'later'))

  const texts = await requestMany(node.url, viewers)
  const rendered = node.read('playlists_rendered_total')
  const shifts = Array.from({ length: 300 }, (_, step) =>
    node.pathOf(`360p.m3u8?shift_ms=${(step + 1) * 60_000}`),
  )
  await requestMany(node.url, shifts)
  await requestMany(node.url, viewers)

  assert.equal(new Set(texts).size, 1)
  assert.equal(rendered, 1)
  assert.equal(node.read('playlists_rendered_total'), 301)
  assert.ok(node.read('segment_text_characters') > 0)
})

interface Guide {
  readonly programs: readonly { readonly program_id: string; readonly start_time: string }[]
}

test('the guide of a delayed output is that of the channel, its delay later', async (t) => {
  const node = await aNode(t)
  const day = started(
    aSchedule(
      20 * HOUR,
      ...Array.from({ length: 20 }, (_, hour) =>
        aProgram(hour * HOUR, (hour + 1) * HOUR, aVideo(`film-${hour}`, 3_000), aPod(120)),
      ),
    ),
  )
  const delayMs = 3 * HOUR * 1_000
  const cut = planned(planOverride(onAirAt(day, 10.5 * HOUR), anOverride()))
  const outputs = [anOutput(), delayed(delayMs), anOutput({ distributor: 'last', delayMs: DAY_MS })]
  node.apply(...aFeed([...day.runs, cut], aChannel({ outputs })))
  const read = async (distributor: string) =>
    (JSON.parse((await node.get('epg.json', distributor)).text) as Guide).programs
  node.setSeconds(10.6 * HOUR)

  const direct = await read('direct')
  const later = await read('later')
  const { programmes } = parseXmltv((await node.get('epg.xml', 'later')).text)

  // From four hours before its own time: three hours more of the past of the channel.
  assert.deepEqual(
    later.map(({ program_id }) => program_id),
    [3, 4, 5].map((hour) => `from ${hour * HOUR}`).concat(direct.map(({ program_id }) => program_id)),
  )
  // It contains the override, which it has not shown yet.
  assert.deepEqual(later.slice(3), JSON.parse(shiftDates(JSON.stringify(direct), delayMs)))
  assert.deepEqual(
    programmes?.map(({ start }) => start?.toISOString()),
    later.map(({ start_time }) => start_time.replace(/\.\d{3}Z$/, '.000Z')),
  )
  // Not further back than nodes keep timelines.
  node.setSeconds(26.5 * HOUR)
  assert.equal((await read('last'))[0]?.program_id, `from ${2 * HOUR}`)
})
