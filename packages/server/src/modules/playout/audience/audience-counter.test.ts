import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { AudienceRow } from '@continuity/core/audience/audience-batch'
import { createComponentCells } from '@continuity/core/audience/component-cells'
import { at, ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { aRun, breaksFor, plays } from '@continuity/core/timeline/testing/a-run'
import { createSessionIds } from '../../../platform/crypto/viewing-session-ids.ts'
import { aChannel, aFeed, anOutput, CHANNEL_ID } from '../testing/a-feed.ts'
import { aNode, got } from '../testing/a-node.ts'
import { type AudienceCounter, createAudienceCounter } from './audience-counter.ts'
import { createSessionTable } from './session-table.ts'
import { createOriginReader } from './viewer-origin.ts'

/** A film up to 288 s, a break of 32 s, and more of the film. */
const aDay = aRun(
  { startSeconds: -32, shownFromSeconds: 0 },
  plays('film', 100),
  breaksFor(20),
  plays('more', 300),
)

async function aCountingNode(t: TestContext) {
  const ids = createSessionIds('key')
  let counter: AudienceCounter | undefined
  const node = await aNode(t, undefined, ({ metrics, timelineAt }) => {
    const cells = createComponentCells({ timelineAt, live: noLive })
    const originOf = createOriginReader({
      trustedProxies: [],
      excludedNetworks: [],
      excludedAgents: ['monitor'],
    })
    const sessions = createSessionTable(1, 3)
    counter = createAudienceCounter({ ids, sessions, cells, originOf, metrics })
    return {
      ids,
      counter,
      evict: cells.drop,
      isExcluded: (request) => originOf(request).isExcluded,
    }
  })
  node.apply(
    ...aFeed(
      [aDay],
      aChannel({
        outputs: [
          anOutput(),
          anOutput({ distributor: 'pluto' }),
          anOutput({ distributor: 'cached', audienceSource: 'LOGS' }),
          anOutput({ distributor: 'later', delayMs: 3_600_000 }),
        ],
      }),
    ),
  )
  const sidOf = async (distributor = 'direct') =>
    /sid=([^&\n]+)/.exec((await node.get('index.m3u8', distributor)).text)![1]!
  return {
    node,
    ids,
    counter: counter!,
    sidOf,
    /** Requests a media playlist at these seconds. */
    async watch(
      sid: string,
      seconds: readonly number[],
      query = '',
      file = '720p.m3u8',
      distributor = 'direct',
    ) {
      for (const second of seconds) {
        node.setSeconds(second)
        assert.equal((await node.get(`${file}?sid=${sid}${query}`, distributor)).status, 200)
      }
    },
    rows: () => [...counter!.take()].map(({ row }) => row),
  }
}

const short = ({ minuteMs, type, heartbeatMs, starts }: AudienceRow) => [
  (minuteMs - ORIGIN_MS) / 1_000,
  type,
  heartbeatMs,
  starts,
]

test('a viewer is counted in the components on air 15 s earlier, by minute', async (t) => {
  const { node, watch, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(299)
  const sid = await sidOf()

  await watch(sid, [299, 302, 308, 318, 323])
  const counted = rows()

  // From 284 to 308 s.
  assert.deepEqual(counted.map(short), [
    [240, 'VIDEO', 4_000, 1],
    [240, 'AD_POD', 12_000, 0],
    [300, 'AD_POD', 8_000, 0],
  ])
  assert.deepEqual(
    counted.map(({ spanTicks }) => spanTicks),
    [at(-32), at(288), at(288)],
  )
  const { channelId, distributor, country, programId } = counted[0]!
  assert.deepEqual([channelId, distributor, country, programId], [CHANNEL_ID, 'direct', 'ZZ', null])
  assert.deepEqual(rows(), [])
})

test('renditions of one session count once, and sessions count separately', async (t) => {
  const { node, watch, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(100)
  const [one, other] = [await sidOf(), await sidOf()]

  await watch(one, [100, 105])
  await watch(one, [105, 108], '', '360p.m3u8')
  await watch(other, [108, 110])

  assert.deepEqual(rows().map(short), [[60, 'VIDEO', 10_000, 2]])
})

test('time watched after a batch was closed is in the next batch', async (t) => {
  const { node, watch, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(100)
  const sid = await sidOf()

  await watch(sid, [100, 105])
  const first = rows()
  await watch(sid, [108, 112])

  assert.deepEqual(
    [first.map(short), rows().map(short)],
    [[[60, 'VIDEO', 5_000, 1]], [[60, 'VIDEO', 7_000, 0]]],
  )
})

test('a time-shifted viewer is counted in what was on air then', async (t) => {
  const { node, watch, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(400)

  await watch(await sidOf(), [400, 405], '&shift_ms=300000')

  assert.deepEqual(rows().map(short), [[60, 'VIDEO', 5_000, 1]])
})

test('a viewer of a delayed output is counted in what was on air then, as is a time shift on it', async (t) => {
  const { node, watch, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(3_899)
  const seconds = [299, 302, 308, 318, 323]
  const hourLater = seconds.map((second) => second + 3_600)

  await watch(await sidOf('later'), hourLater, '', '720p.m3u8', 'later')
  const later = rows()
  node.setSeconds(4_499)
  const shiftedSeconds = hourLater.map((second) => second + 600)
  await watch(await sidOf('later'), shiftedSeconds, '&shift_ms=600000', '720p.m3u8', 'later')
  const shifted = rows()

  // From 284 to 308 s, as a viewer of the channel was counted then.
  const expected = [
    [240, 'VIDEO', 4_000, 1],
    [240, 'AD_POD', 12_000, 0],
    [300, 'AD_POD', 8_000, 0],
  ]
  assert.deepEqual(later.map(short), expected)
  assert.deepEqual(shifted.map(short), expected)
  assert.deepEqual(new Set(later.map(({ distributor }) => distributor)), new Set(['later']))
})

test('an output that was deleted and created again is counted with its new delay', async (t) => {
  const { node, watch, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(3_700)
  const sid = await sidOf('later')
  await watch(sid, [3_700, 3_705], '', '720p.m3u8', 'later')
  const channel = aChannel({ outputs: [anOutput(), anOutput({ distributor: 'later', delayMs: 3_660_000 })] })
  node.apply({ kind: 'change', epoch: 1, version: 3, channel, runs: [], settled: [] })

  // A session of the former output is not counted.
  await watch(sid, [3_708], '', '720p.m3u8', 'later')
  await watch(await sidOf('later'), [3_710, 3_715], '', '720p.m3u8', 'later')

  assert.deepEqual(rows().map(short), [
    [60, 'VIDEO', 5_000, 1],
    [0, 'VIDEO', 5_000, 1],
  ])
})

test('pictures are not counted', async (t) => {
  const { node, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(100)
  const sid = await sidOf()

  for (const second of [100, 103, 106, 109]) {
    node.setSeconds(second)
    const { status } = await fetch(`${node.addressOf('now.jpg')}?sid=${sid}`, { redirect: 'manual' })
    assert.equal(status, 302)
  }

  assert.deepEqual(rows(), [])
})

test('invalid ids, ids of another output and HEAD requests are not counted', async (t) => {
  const { node, watch, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(100)
  const sid = await sidOf('pluto')

  await watch(sid, [100, 105])
  await watch('x'.repeat(32), [100, 105])
  await watch('viewer-1', [100, 105])
  await node.get('720p.m3u8')
  const own = await sidOf()
  await got(node.addressOf(`720p.m3u8?sid=${own}`), 'HEAD')
  node.setSeconds(108)
  await got(node.addressOf(`720p.m3u8?sid=${own}`), 'HEAD')

  assert.deepEqual(rows(), [])
  assert.deepEqual(node.faults, [])
})

test('an id is not counted on another output after it was used on its own', async (t) => {
  const { node, watch, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(100)
  const sid = await sidOf()

  await watch(sid, [100, 105])
  node.setSeconds(108)
  await node.get(`720p.m3u8?sid=${sid}`, 'pluto')

  assert.deepEqual(
    rows().map(({ distributor, heartbeatMs }) => [distributor, heartbeatMs]),
    [['direct', 5_000]],
  )
})

test('reported pauses are not counted, by query or by header', async (t) => {
  const { node, watch, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(100)
  const sid = await sidOf()
  const reports = (text: string) => `&CMCD=${encodeURIComponent(text)}`

  await watch(sid, [100], reports('sta=p,v=2'))
  await watch(sid, [105], reports('sta=a,v=2'))
  node.setSeconds(110)
  const headers = { 'cmcd-session': 'v=2,sid="x"', 'cmcd-status': 'sta=a' }
  await fetch(node.addressOf(`720p.m3u8?sid=${sid}`), { headers })
  await watch(sid, [115], '&CMCD=%')

  assert.deepEqual(
    rows().map(({ cmcdV2Ms, heartbeatMs }) => [cmcdV2Ms, heartbeatMs]),
    [[5_000, 0]],
  )
})

test('events of a player make its pauses exact, are counted once, and start no session', async (t) => {
  const { node, watch, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(100)
  const [sid, other] = [await sidOf(), await sidOf()]
  const report = async (second: number, body: string, query = `sid=${sid}`, distributor = 'direct') => {
    node.setSeconds(second)
    const address = node.addressOf(`cmcd?${query}`, distributor)
    const { status } = await fetch(address, { method: 'POST', body })
    return status
  }

  const early = await report(100, 'e=ps,sn=0,sta=p,v=2', `sid=${other}`)
  await watch(sid, [100], '&CMCD=sta%3Dp')
  const statuses = [
    await report(102, 'e=ps,sn=1,sta=a,v=2'),
    // Repeated, of an unknown session, on other outputs, and empty.
    await report(104, 'e=ps,sn=1,sta=p,v=2'),
    await report(104, 'sta=p', `sid=${'x'.repeat(32)}`),
    await report(104, 'sta=p', `sid=${sid}`, 'pluto'),
    await report(104, 'sta=p', `sid=${sid}`, 'cached'),
    await report(104, ''),
    // It resumed two seconds ago.
    await report(108, 'sn=2,sta=p,ts=1000\nsn=3,sta=p,ts=3000'),
  ]
  const beforeStart = rows().map(({ cmcdV2Ms, starts }) => [cmcdV2Ms, starts])
  await watch(sid, [110], '&CMCD=sta%3Dp')

  assert.deepEqual(new Set([early, ...statuses]), new Set([204]))
  // From 100 to 102 and from 106 to 110.
  assert.deepEqual(beforeStart, [[4_000, 0]])
  assert.deepEqual(
    rows().map(({ cmcdV2Ms, starts }) => [cmcdV2Ms, starts]),
    [[2_000, 1]],
  )
  assert.deepEqual(node.faults, [])
})

test('monitors are not counted, nor sessions above the limit', async (t) => {
  const { node, watch, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(100)
  const sids = [await sidOf(), await sidOf(), await sidOf(), await sidOf()]
  for (const second of [100, 104]) {
    node.setSeconds(second)
    await fetch(node.addressOf(`720p.m3u8?sid=${sids[0]}`), { headers: { 'user-agent': 'Some-Monitor/1' } })
  }

  for (const sid of sids.slice(1)) await watch(sid, [100, 105])

  assert.deepEqual(rows().map(short), [[60, 'VIDEO', 10_000, 2]])
  assert.match(String(node.faults), /^$/)
})

test('an output with audience_source LOGS is not counted by the node, but its viewers get ids', async (t) => {
  const { node, ids, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(100)
  const sid = await sidOf('cached')
  const headers = { 'user-agent': 'Some-Monitor/1' }
  const monitored = await (await fetch(node.addressOf('index.m3u8', 'cached'), { headers })).text()
  const direct = await (await fetch(node.addressOf('index.m3u8'), { headers })).text()

  for (const second of [100, 105]) {
    node.setSeconds(second)
    await node.get(`720p.m3u8?sid=${sid}`, 'cached')
  }

  const nowMs = ORIGIN_MS + 105_000
  const readIn = (text: string, distributor: string) =>
    ids.read(/sid=([^&\n]+)/.exec(text)![1]!, `${CHANNEL_ID}/${distributor}`, nowMs)
  assert.deepEqual(rows(), [])
  assert.equal(ids.read(sid, `${CHANNEL_ID}/cached`, nowMs), ORIGIN_MS + 100_000)
  assert.equal(readIn(monitored, 'cached'), undefined)
  assert.equal(readIn(direct, 'direct'), ORIGIN_MS + 100_000)
  assert.equal(node.read('audience_heartbeats_total'), 0)
})

test('sessions are dropped a minute after their last request, and continue if they return', async (t) => {
  const { node, watch, sidOf, rows, counter } = await aCountingNode(t)
  node.setSeconds(100)
  const sid = await sidOf()
  await watch(sid, [100, 105])
  const sweepAt = (second: number) => {
    for (let i = 0; i < 16; i += 1) counter.sweep(ORIGIN_MS + second * 1_000)
    return node.read('audience_sessions')
  }

  assert.deepEqual([sweepAt(165), sweepAt(165.001)], [1, 0])
  await watch(sid, [200, 205])

  // The session has started once.
  assert.deepEqual(rows().map(short), [
    [60, 'VIDEO', 5_000, 1],
    [180, 'VIDEO', 5_000, 0],
  ])
})

test('an interval with a jump of the clock is not counted', async (t) => {
  const { node, watch, sidOf, rows, counter } = await aCountingNode(t)
  node.setSeconds(100)
  const sid = await sidOf()

  await watch(sid, [100, 105])
  counter.restart(ORIGIN_MS + 108_000)
  await watch(sid, [110, 112])

  assert.deepEqual(rows().map(short), [[60, 'VIDEO', 7_000, 1]])
})

test('a change of the channel is counted from its cut', async (t) => {
  const { node, watch, sidOf, rows } = await aCountingNode(t)
  node.setSeconds(100)
  const sid = await sidOf()
  await watch(sid, [100, 105])
  const cut = aRun({ number: 2, sequence: 43, startSeconds: 105.6 }, breaksFor(100))
  node.apply({ ...aFeed([aDay, cut])[2]!, version: 3 })

  await watch(sid, [110, 115, 120, 125])

  assert.deepEqual(rows().map(short), [
    [60, 'VIDEO', 20_600, 1],
    [60, 'AD_POD', 4_400, 0],
  ])
})
