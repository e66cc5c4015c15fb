import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planOverride, planSchedule } from '@continuity/core/planning/plan'
import { aPod, aProgram, aVideo, ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { addPacked, emptyPacked, packRun } from '@continuity/core/timeline/codec/packed'
import { applyRun } from '@continuity/core/timeline/run'
import {
  anOverride,
  aSchedule,
  onAirAt,
  planned,
  started,
} from '@continuity/core/timeline/testing/control-room'
import { parseXmltv } from '@iptv/xmltv'
import { createGuides } from './guide.ts'
import { aChannel, aFeed, anOutput, CHANNEL_ID } from './testing/a-feed.ts'
import { aNode } from './testing/a-node.ts'

/** Eight hours of programs of an hour each. */
const schedule = aSchedule(
  28_800,
  ...Array.from({ length: 8 }, (_, hour) =>
    aProgram(hour * 3_600, (hour + 1) * 3_600, aVideo(`film-${hour}`, 3_000), aPod(120)),
  ),
)
const day = started(schedule)

const outputs = [anOutput(), anOutput({ distributor: 'wide', key: 'north-1' })]

interface Guide {
  readonly channel_id: string
  readonly programs: readonly {
    readonly program_id: string
    readonly start_time: string
    readonly end_time: string
  }[]
}

test('both forms of a guide list the programs from four hours ago to the end of the timeline', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed(day.runs, aChannel({ outputs })))
  node.setSeconds(5 * 3_600 + 1_200)

  const json = await node.get('epg.json')
  const xml = await node.get('epg.xml')

  const { channel_id, programs } = JSON.parse(json.text) as Guide
  const { programmes } = parseXmltv(xml.text)
  assert.equal(channel_id, CHANNEL_ID)
  // Four hours ago the second program was on air.
  assert.deepEqual(
    programs.map(({ program_id }) => program_id),
    [1, 2, 3, 4, 5, 6, 7].map((hour) => `from ${hour * 3_600}`),
  )
  assert.deepEqual(
    programmes?.map(({ start, stop }) => [start?.toISOString(), stop?.toISOString()]),
    programs.map(({ start_time, end_time }) => [start_time, end_time]),
  )
  assert.match(xml.text, /<display-name>North One</)
  assert.deepEqual(
    [json, xml].map(({ headers }) => [headers.get('content-type'), headers.get('cache-control')]),
    [
      ['application/json; charset=utf-8', 'max-age=60'],
      ['application/xml; charset=utf-8', 'max-age=60'],
    ],
  )
})

test('the guide of an output with a key has the key as its channel id', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed(day.runs, aChannel({ outputs })))

  const json = await node.get('epg.json', 'wide')
  const xml = await node.get('epg.xml', 'wide')

  assert.equal((JSON.parse(json.text) as Guide).channel_id, 'north-1')
  assert.equal(parseXmltv(xml.text).channels?.[0]?.id, 'north-1')
  assert.equal((await node.get('epg.json', 'unknown')).status, 404)
})

test('a guide is cached for a minute, and a change of the channel is in it immediately', async (t) => {
  const [node, other] = [await aNode(t), await aNode(t)]
  const override = planned(planOverride(onAirAt(day, 1_830), anOverride()))
  const feed = aFeed([...day.runs, override], aChannel({ outputs }))
  node.apply(...feed.slice(0, -1))
  node.setSeconds(1_810)
  const before = await node.get('epg.json')
  await node.get('epg.xml', 'wide')

  node.setSeconds(1_858)
  const same = await node.get('epg.json')
  node.apply(feed.at(-1)!)
  node.setSeconds(1_859)
  const after = await node.get('epg.json')
  // A node without requests before the change.
  other.apply(...feed)
  other.setSeconds(1_859)

  assert.equal(same.text, before.text)
  assert.equal((await other.get('epg.json')).text, after.text)
  assert.equal((await other.get('epg.xml', 'wide')).text, (await node.get('epg.xml', 'wide')).text)
  const shown = (JSON.parse(after.text) as Guide).programs.slice(0, 3)
  // The override to the end of the program it covers, then the schedule.
  assert.deepEqual(
    shown.map(({ program_id, end_time }) => [program_id, (Date.parse(end_time) - ORIGIN_MS) / 1_000]),
    [
      ['from 0', 1_830.4],
      ['cut', 3_600],
      ['from 3600', 7_200],
    ],
  )
})

test('a guide lists the scheduled programs after a second open-ended override, as after the first', async (t) => {
  const node = await aNode(t)
  const overridden = applyRun(day, planned(planOverride(onAirAt(day, 600), anOverride())))
  const returned = applyRun(overridden, planned(planSchedule(onAirAt(overridden, 1_200), schedule)))
  const again = planned(planOverride(onAirAt(returned, 1_830), anOverride()))
  node.apply(...aFeed([...returned.runs, again]))
  node.setSeconds(1_859)

  const { programs } = JSON.parse((await node.get('epg.json')).text) as Guide

  assert.deepEqual(
    programs.map(({ program_id }) => program_id),
    ['from 0', 'cut', 'from 0', 'cut', ...[1, 2, 3, 4, 5, 6, 7].map((hour) => `from ${hour * 3_600}`)],
  )
})

test('a change of a channel evicts only its own guides', () => {
  const guides = createGuides()
  const timeline = day.runs.map(packRun).reduce(addPacked, emptyPacked)
  const aState = (channelId: string) => ({ epoch: 1, version: 1, channel: aChannel({ channelId }), timeline })
  const [changed, kept] = [aState('changed'), aState('kept')]
  const before = [changed, kept].map((state) => guides.answer(state, anOutput(), 'epg.json', ORIGIN_MS))

  guides.evict('changed')
  const after = [changed, kept].map((state) => guides.answer(state, anOutput(), 'epg.json', ORIGIN_MS))

  assert.deepEqual(
    after.map((answer, at) => answer === before[at]),
    [false, true],
  )
})

test('a bounded number of guides is cached, and hits do not clear the cache', () => {
  const guides = createGuides()
  const timeline = day.runs.slice(0, 1).map(packRun).reduce(addPacked, emptyPacked)
  const answerFor = (channelId: string) =>
    guides.answer(
      { epoch: 1, version: 1, channel: aChannel({ channelId }), timeline },
      anOutput(),
      'epg.json',
      ORIGIN_MS,
    )
  const first = answerFor('0')
  for (let channel = 1; channel < 1_000; channel += 1) answerFor(`${channel}`)

  assert.equal(answerFor('0'), first)
  answerFor('1000')
  assert.notEqual(answerFor('0'), first)
})
