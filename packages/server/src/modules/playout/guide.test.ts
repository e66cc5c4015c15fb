import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planOverride, planSchedule } from '@continuity/core/planning/plan'
import { aPod, aProgram, aVideo, ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { emptyPacked } from '@continuity/core/timeline/codec/packed'
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

test('an override does not end in a guide while the guide is still returned', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([...day.runs, planned(planOverride(onAirAt(day, 1_830), anOverride()))]))
  const endOfOverride = async (seconds: number) => {
    node.setSeconds(seconds)
    const { programs } = JSON.parse((await node.get('epg.json')).text) as Guide
    const { end_time } = programs.find(({ program_id }) => program_id === 'cut')!
    return (Date.parse(end_time) - ORIGIN_MS) / 1_000
  }

  // The program that it covers ends at 3,600 s, and the one after it an hour later.
  assert.deepEqual([await endOfOverride(3_479), await endOfOverride(3_480)], [3_600, 7_200])
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

/** Renders the number of guides rendered before, at the given length. */
function aCounter(length = 10) {
  let rendered = 0
  return async () => Buffer.alloc(length, `${rendered++} `)
}

const aState = (channelId: string) => ({
  epoch: 1,
  version: 1,
  channel: aChannel({ channelId }),
  timeline: emptyPacked,
})

test('a change of a channel evicts only its own guides', async () => {
  const guides = createGuides(aCounter())
  const answersOf = () =>
    Promise.all(
      ['changed', 'kept'].map(async (id) => guides.answer(aState(id), anOutput(), 'epg.json', ORIGIN_MS)),
    )
  const before = await answersOf()

  guides.evict('changed')
  const after = await answersOf()

  assert.deepEqual(
    after.map((answer, at) => answer === before[at]),
    [false, true],
  )
})

test('a guide that is requested while it is rendered is rendered once, and not kept if its channel changes', async () => {
  const guides = createGuides(aCounter())
  const answer = () => guides.answer(aState('one'), anOutput(), 'epg.xml', ORIGIN_MS)

  const [first, second] = [answer(), answer()]
  guides.evict('one')
  const third = answer()

  assert.equal(await first, await second)
  assert.notEqual(await first, await third)
  assert.equal(answer(), await third)
})

test('a guide that failed is rendered again with the next request', async () => {
  let isBroken = true
  const guides = createGuides(async () => {
    if (isBroken) throw new Error('broken')
    return Buffer.from('guide')
  })
  const answer = async () => guides.answer(aState('one'), anOutput(), 'epg.xml', ORIGIN_MS)

  await assert.rejects(answer(), /broken/)
  isBroken = false

  assert.equal(String((await answer()).body), 'guide')
})

test('guides of 64 MB are cached, and hits do not clear the cache', async () => {
  const guides = createGuides(aCounter(1024 * 1024))
  const answer = (channel: number) => guides.answer(aState(`${channel}`), anOutput(), 'epg.json', ORIGIN_MS)
  const first = await answer(0)
  for (let channel = 1; channel < 64; channel += 1) await answer(channel)

  assert.equal(answer(0), first)
  await answer(64)
  assert.notEqual(await answer(0), first)
})
