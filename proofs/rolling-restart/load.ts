import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@continuity/dev/fault'
import { chooseKind, describeAnswer, type Share } from './request-kinds.ts'
import { send } from './send.ts'

const LANES = 16
/** Every fourth lane opens a connection for each request; the others keep theirs. */
const NEW_CONNECTION_EVERY = 4
export const ID_PREFIX = 'rolling-'

export const isRequestOfLoad = (id: string): boolean => id.startsWith(ID_PREFIX)

export interface LoadOptions {
  readonly port: number
  readonly requests: number
  readonly perSecond: number
  /** The first kind always has a request. */
  readonly mix: readonly [Share, ...Share[]]
  readonly random: () => number
  /** While false, the last tenth is sent slowly, so that the load outlasts the restarts. */
  readonly mayEnd: () => boolean
}

export interface LoadResult {
  readonly latenciesMs: readonly number[]
  readonly failures: readonly string[]
  readonly postsSent: number
  /** Answers by status, as they were received. */
  readonly byStatus: ReadonlyMap<number, number>
}

export interface Load {
  readonly ended: Promise<LoadResult>
  isOver(): boolean
  inFlight(): number
  /** Resolves when so many requests are in flight, or when the load is over. */
  whenInFlight(count: number): Promise<void>
  /** Drops the requests that were not sent yet. */
  stop(): Promise<void>
}

/** A fixed number of clients. Each sends, waits for the answer, pauses for a random time and sends again. */
export function startLoad(options: LoadOptions): Load {
  const { requests, mix, random } = options
  const meanPauseMs = (LANES / options.perSecond) * 1_000
  const keeping = new Agent({ keepAlive: true })
  const waiting = new Set<Waiter>()
  const latenciesMs: number[] = []
  const failures: string[] = []
  const byStatus = new Map<number, number>()
  const state = { sent: 0, postsSent: 0, inFlight: 0, isStopped: false, isOver: false }

  const isDone = () => state.isStopped || state.sent >= requests
  const notifyWaiting = () => {
    for (const waiter of waiting) {
      if (state.inFlight < waiter.count && !state.isOver) continue
      waiting.delete(waiter)
      waiter.resolve()
    }
  }

  const sendOne = async (agent: Agent | false) => {
    const { request, take } = chooseKind(mix, random())() ?? mix[0].next()!
    state.sent += 1
    if (request.method === 'POST') state.postsSent += 1
    const id = `${ID_PREFIX}${state.sent}`
    const startMs = performance.now()
    const answering = send({ port: options.port, agent, id, request })
    state.inFlight += 1
    notifyWaiting()
    const seen = await answering
      .then((answer) => {
        byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1)
        const described = describeAnswer(request, answer)
        if (described === request.expected) take?.(answer)
        return described
      })
      .catch(messageOf)
    state.inFlight -= 1
    const tookMs = performance.now() - startMs
    latenciesMs.push(tookMs)
    if (seen === request.expected) return
    const connection = agent === false ? 'new' : 'kept'
    failures.push(
      `${id} ${request.method} ${request.path} on a ${connection} connection, ` +
        `${new Date().toISOString()}, after ${Math.round(tookMs)} ms: ${seen}, not ${request.expected}`,
    )
  }

  const runLane = async (lane: number) => {
    const agent = lane % NEW_CONNECTION_EVERY === 0 ? false : keeping
    while (!isDone()) {
      const isSlowed = requests - state.sent <= requests / 10 && !options.mayEnd()
      await sleep(random() * 2 * meanPauseMs * (isSlowed ? 10 : 1))
      if (!isDone()) await sendOne(agent)
    }
  }

  const run = async (): Promise<LoadResult> => {
    await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)))
    keeping.destroy()
    state.isOver = true
    notifyWaiting()
    return { latenciesMs, failures, postsSent: state.postsSent, byStatus }
  }
  const ended = run()
  return {
    ended,
    isOver: () => state.isOver,
    inFlight: () => state.inFlight,
    whenInFlight: (count) =>
      new Promise((resolve) => {
        waiting.add({ count, resolve })
        notifyWaiting()
      }),
    async stop() {
      state.isStopped = true
      await ended
    },
  }
}

interface Waiter {
  readonly count: number
  readonly resolve: () => void
}
