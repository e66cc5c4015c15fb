import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type ClockCourse, courseAt, type SteerOrder, steer } from '@continuity/core/time/clock-course'

/**
 * The hand on the clock of a test: every process that was started with its
 * address follows it.
 *
 * An order is answered only when each of them has taken the new course, so
 * that a test may look at any process right after it.
 */
export interface ClockControl {
  /** `host:port` for CLOCK_CONTROL. */
  readonly address: string
  nowMs(): number
  order(order: SteerOrder): Promise<void>
  close(): Promise<void>
}

export async function startClockControl(startMs: number): Promise<ClockControl> {
  let course: ClockCourse = { anchorRealMs: Date.now(), anchorMs: startMs, rate: 0 }
  let version = 0
  const followers = new Map<Socket, Follower>()

  const server = createServer((socket) => {
    const follower: Follower = { acknowledged: -1, waiting: new Set() }
    followers.set(socket, follower)
    const lines = createInterface({ input: socket })
    lines.on('line', (line) => {
      follower.acknowledged = Number(line)
      for (const wake of follower.waiting) wake()
    })
    // A reader repeats the errors of its socket, which are heard below; unheard, they would end the process.
    lines.on('error', () => {})
    const gone = () => {
      followers.delete(socket)
      for (const wake of follower.waiting) wake()
    }
    socket.on('close', gone)
    socket.on('error', gone)
    socket.write(`${JSON.stringify({ version, course })}\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const taken = (socket: Socket, follower: Follower, wanted: number) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (followers.has(socket) && follower.acknowledged < wanted) return
        follower.waiting.delete(check)
        resolve()
      }
      follower.waiting.add(check)
      check()
    })

  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    nowMs: () => courseAt(course, Date.now()),
    async order(order) {
      const result = steer(course, order, Date.now())
      if (result.kind === 'refused') throw new Error(`The clock cannot do that: ${result.reason}`)
      course = result.course
      version += 1
      const wanted = version
      const line = `${JSON.stringify({ version, course })}\n`
      await Promise.all(
        [...followers].map(([socket, follower]) => {
          socket.write(line)
          return taken(socket, follower, wanted)
        }),
      )
    },
    async close() {
      for (const socket of followers.keys()) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Follower {
  acknowledged: number // written when a line of the follower arrives
  readonly waiting: Set<() => void>
}
