import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type ClockControl, startClockControl } from '@continuity/dev/clock-control'
import { realClock, steeredClock } from './clock.ts'
import { followClock } from './follow-clock.ts'

const START_MS = Date.parse('2026-03-01T18:00:00Z')

async function aControl(t: TestContext): Promise<ClockControl> {
  const control = await startClockControl(START_MS)
  t.after(() => control.close())
  return control
}

async function aFollower(t: TestContext, address: string) {
  const follower = await followClock(address)
  t.after(() => follower.close())
  return follower
}

test('the real clock shows the time of the machine', () => {
  const before = Date.now()
  const shown = realClock()

  assert.ok(shown >= before && shown <= Date.now())
})

test('a steered clock shows its course, also when the course changes', () => {
  let anchorMs = 5_000
  const clock = steeredClock(() => ({ anchorRealMs: 0, anchorMs, rate: 0 }))

  assert.equal(clock(), 5_000)
  anchorMs = 6_000
  assert.equal(clock(), 6_000)
})

test('a follower shows the time of the control from its first moment', async (t) => {
  const control = await aControl(t)

  const { clock } = await aFollower(t, control.address)

  assert.equal(clock(), START_MS)
})

test('when a command returns, every follower shows the new time', async (t) => {
  const control = await aControl(t)
  const followers = [await aFollower(t, control.address), await aFollower(t, control.address)]

  await control.steer({ kind: 'advance', byMs: 60_000 })
  assert.deepEqual(shownBy(followers), [START_MS + 60_000, START_MS + 60_000])

  await control.steer({ kind: 'set', toMs: START_MS + 3_600_000 })
  assert.deepEqual(shownBy(followers), [START_MS + 3_600_000, START_MS + 3_600_000])
  assert.equal(control.nowMs(), START_MS + 3_600_000)
})

test('concurrent commands are all applied', async (t) => {
  const control = await aControl(t)
  const followers = [await aFollower(t, control.address), await aFollower(t, control.address)]

  await Promise.all(Array.from({ length: 50 }, () => control.steer({ kind: 'advance', byMs: 1_000 })))

  assert.deepEqual(shownBy(followers), [START_MS + 50_000, START_MS + 50_000])
})

test('a follower that connects later shows the same time as the others', async (t) => {
  const control = await aControl(t)
  await control.steer({ kind: 'advance', byMs: 60_000 })

  const { clock } = await aFollower(t, control.address)

  assert.equal(clock(), START_MS + 60_000)
})

test('a command that would set the clock back is rejected and changes nothing', async (t) => {
  const control = await aControl(t)
  const { clock } = await aFollower(t, control.address)

  await assert.rejects(
    control.steer({ kind: 'set', toMs: START_MS - 1 }),
    /the clock cannot be steered: backwards/,
  )

  assert.equal(clock(), START_MS)
})

test('a follower that disconnects does not block a command', async (t) => {
  const control = await aControl(t)
  const stays = await aFollower(t, control.address)
  const leaves = await followClock(control.address)
  leaves.close()

  await control.steer({ kind: 'advance', byMs: 1_000 })

  assert.equal(stays.clock(), START_MS + 1_000)
})

test('a follower that dies before it acknowledges does not block a command', async (t) => {
  const control = await aControl(t)
  const { clock } = await aFollower(t, control.address)
  // It never acknowledges, like a process that is killed while it is busy.
  const busy = await aSilentFollower(control.address)

  const steered = control.steer({ kind: 'advance', byMs: 1_000 })
  await once(busy, 'data')
  busy.resetAndDestroy()
  await steered

  assert.equal(clock(), START_MS + 1_000)
})

test('a follower whose control disconnects keeps its last course', async (t) => {
  const sockets: Socket[] = []
  const control = createServer((socket) => {
    sockets.push(socket)
    socket.write(
      `${JSON.stringify({ version: 0, course: { anchorRealMs: 0, anchorMs: START_MS, rate: 0 } })}\n`,
    )
  })
  control.listen(0, '127.0.0.1')
  await once(control, 'listening')
  t.after(() => control.close())
  const { port } = control.address() as { port: number }
  const { clock } = await aFollower(t, `127.0.0.1:${port}`)

  const gone = once(sockets[0]!, 'close')
  sockets[0]!.resetAndDestroy()
  await gone
  // The reset reaches the follower a turn of the loop or two later.
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)

  assert.equal(clock(), START_MS)
})

test('following fails where no control listens', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')

  await assert.rejects(followClock(`127.0.0.1:${port}`), /ECONNREFUSED/)
})

const shownBy = (followers: readonly { clock: () => number }[]) => followers.map(({ clock }) => clock())

async function aSilentFollower(address: string): Promise<Socket> {
  const [host, port] = address.split(':')
  const socket = connect({ host: host!, port: Number(port) })
  await once(socket, 'data')
  return socket
}
