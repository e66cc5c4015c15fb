import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type ClockCourse, courseAt, type SteerCommand, steer } from '@continuity/core/time/clock-course'

/**
 * Steers the clock of a test: every process that was started with its address follows it.
 *
 * A command returns when every follower has acknowledged the new course, so that a test may check any process right
 * after it.
 */
export interface ClockControl {
  /** `host:port` for CLOCK_CONTROL. */
  readonly address: string
  nowMs(): number
  steer(order: SteerCommand): Promise<void>
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
    // The reader repeats the errors of its socket, which are handled below; unhandled, they would end the process.
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

  const acknowledged = (socket: Socket, follower: Follower, wanted: number) =>
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
    async steer(command) {
      const result = steer(course, command, Date.now())
      if (result.kind === 'rejected') throw new Error(`the clock cannot be steered: ${result.reason}`)
      course = result.course
      version += 1
      const wanted = version
      const line = `${JSON.stringify({ version, course })}\n`
      await Promise.all(
        [...followers].map(([socket, follower]) => {
          socket.write(line)
          return acknowledged(socket, follower, wanted)
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
  acknowledged: number // set by each line of the follower
  readonly waiting: Set<() => void>
}
