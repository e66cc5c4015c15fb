import { messageOf } from '@continuity/dev/fault'
import { settlesWithin } from '@continuity/dev/waiting'
import { DRAIN_GRACE_MS, type RunningApi } from './api-pair.ts'
import { ID_PREFIX, type Load } from './load.ts'
import { describeAnswer, type KnownRequest, type NextRequest } from './request-kinds.ts'
import { send } from './send.ts'

/** Waits for so many requests in flight, but not for long: near its end the load has few. */
const CROWD = 4
const CROWD_TIMEOUT_MS = 500
const EXIT_TIMEOUT_MS = 30_000
const SLOW_POSTS = 4
/** Longer than the grace, so that the process no longer listens when the rest of the body arrives. */
const SLOW_BODY_MS = 2 * DRAIN_GRACE_MS

export interface Stop {
  /** Requests under way at the signal. */
  readonly inFlight: number
  readonly drainMs: number
  readonly exit: string
  /** POSTs that were half sent at the signal. */
  readonly slowPosts: number
  readonly slowFailures: readonly string[]
}

/** Sends SIGTERM while requests are in flight, and waits for the exit. Undefined when the load is over. */
export async function stopUnderLoad(
  api: RunningApi,
  load: Load,
  nextSlowPost: NextRequest,
): Promise<Stop | undefined> {
  const { name, child } = api
  await settlesWithin(load.whenInFlight(CROWD), CROWD_TIMEOUT_MS)
  await load.whenInFlight(1)
  if (load.isOver()) return undefined
  const inFlight = load.inFlight()
  const startMs = performance.now()
  const slow = Array.from({ length: SLOW_POSTS }, (_, i) =>
    sendSlowly(api, nextSlowPost()!.request, `${ID_PREFIX}slow-${child.pid}-${i}`),
  )
  process.kill(child.pid, 'SIGTERM')
  if (!(await settlesWithin(child.exited, EXIT_TIMEOUT_MS))) {
    throw new Error(`Process ${name} did not end within ${EXIT_TIMEOUT_MS / 1_000} s of SIGTERM.`)
  }
  const drainMs = performance.now() - startMs
  const slowFailures = (await Promise.all(slow)).flat()
  return { inFlight, drainMs, exit: await child.exited, slowPosts: SLOW_POSTS, slowFailures }
}

/**
 * Returns the failure, or none.
 *
 * Sent to the process itself: nginx buffers a body before it passes the request
 * on, so that the API does not see slow clients.
 */
async function sendSlowly({ port }: RunningApi, request: KnownRequest, id: string): Promise<string[]> {
  const seen = await send({ port, agent: false, id, request, bodyPauseMs: SLOW_BODY_MS })
    .then((answer) => describeAnswer(request, answer))
    .catch(messageOf)
  return seen === request.expected ? [] : [`${id} with a slow body: ${seen}, not ${request.expected}`]
}
