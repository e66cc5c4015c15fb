import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { ClockCourse } from '@continuity/core/time/clock-course'
import { type Clock, steeredClock } from './clock.ts'

/**
 * A clock steered by the control socket at `host:port`, for tests of whole processes. Without the socket the clock stays
 * on its last course.
 */
export async function followClock(address: string): Promise<{ clock: Clock; close(): void }> {
  const { hostname, port } = new URL(`tcp://${address}`)
  const socket = connect({ host: hostname, port: Number(port) })
  let course: ClockCourse | undefined
  const lines = createInterface({ input: socket })
  lines.on('line', (line) => {
    const update = JSON.parse(line) as { version: number; course: ClockCourse }
    course = update.course
    socket.write(`${update.version}\n`)
  })
  await Promise.race([
    once(lines, 'line'),
    once(socket, 'error').then(([error]) => Promise.reject(error as Error)),
    once(socket, 'close').then(() =>
      Promise.reject(new Error('the clock control closed the connection at once')),
    ),
  ])
  // Only now: a process that waits for its first time must not exit for lack of other work.
  socket.unref()
  socket.on('error', () => socket.destroy())
  // The reader repeats the errors of its socket; unhandled, they would end the process.
  lines.on('error', () => {})
  return { clock: steeredClock(() => course!), close: () => socket.destroy() }
}
