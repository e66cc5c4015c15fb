import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** An event in the database. */
export interface ExpectedEvent {
  readonly id: string
  readonly subject: string
  /** Sequence number of the change of its subject, from 1. */
  readonly rank: number
}

interface FollowersOptions {
  readonly count: number
  readonly urls: readonly string[]
  /** Assigned round-robin. */
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

/** Streams of events of one account. One that breaks resumes after its last event, at the next address. */
export interface Followers extends AsyncDisposable {
  /** Stops reading, or continues. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Open streams, and the fewest and the most events that one of them has received. */
  progress(): Promise<{ readonly open: number; readonly fewest: number; readonly most: number }>
  /** Starts to measure how late each event is at each follower, until `delays`. */
  measure(): Promise<void>
  delays(): Promise<{ readonly count: number; readonly p99: number }>
  compare(expected: readonly ExpectedEvent[]): Promise<Compared>
}

interface Compared {
  readonly missed: number
  readonly invented: number
  readonly outOfOrder: number
  readonly received: number
  readonly connections: number
}

/** Runs in a thread of its own, so that the load beside it makes no event late. */
export function startFollowers(options: FollowersOptions): Followers {
  const thread = new Worker(new URL(import.meta.url), { workerData: options })
  const call = async <Name extends keyof Commands>(name: Name, ...args: Parameters<Commands[Name]>) => {
    thread.postMessage([name, ...args])
    return (await once(thread, 'message'))[0] as ReturnType<Commands[Name]>
  }
  return {
    pause: () => call('pause'),
    resume: () => call('resume'),
    progress: () => call('progress'),
    measure: () => call('measure'),
    delays: () => call('delays'),
    compare: (expected) => call('compare', expected),
    async [Symbol.asyncDispose]() {
      await thread.terminate()
    },
  }
}

type Commands = ReturnType<typeof follow>

interface Follower {
  readonly path: string
  readonly number: number
  lastId: string
  isOpen: boolean
  connections: number
  /** Events by their index, in the order of their first arrival. */
  readonly received: number[]
  readonly seen: Uint8Array
  response: IncomingMessage | undefined
}

/** More than any run has: a byte for each event at each follower. */
const MOST_EVENTS = 65_536
const RETRY_MS = 200
/** A connection without data for this long counts as broken. */
const IDLE_MS = 60_000

function follow({ count, urls, paths, headers }: FollowersOptions) {
  /** Every event that any follower received, by id. */
  const events = new Map<string, { readonly index: number; readonly atMs: number }>()
  let delays: number[] | undefined // while measuring
  let isPaused = false

  const receive = (follower: Follower, text: string, at: number, nowMs: number) => {
    const id = text.slice(at, at + UUID_LENGTH)
    let event = events.get(id)
    if (event === undefined) {
      const timeAt = text.indexOf(AT, at) + AT.length
      event = { index: events.size, atMs: Date.parse(text.slice(timeAt, timeAt + 24)) }
      if (event.index === MOST_EVENTS) throw new Error(`more than ${MOST_EVENTS} events`)
      events.set(id, event)
    }
    if (follower.seen[event.index] === 1) return
    follower.seen[event.index] = 1
    follower.received.push(event.index)
    delays?.push(nowMs - event.atMs)
  }
  /** Reads complete events; returns the rest. */
  const readEvents = (follower: Follower, text: string): string => {
    const nowMs = Date.now()
    let from = 0
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n', from)) {
      if (text.startsWith('id: ', from)) {
        const idEnd = text.indexOf('\n', from)
        follower.lastId = text.slice(from + 4, idEnd)
        follower.isOpen = true
        const dataAt = text.indexOf(DATA, idEnd)
        if (dataAt !== -1 && dataAt < end) receive(follower, text, dataAt + DATA.length, nowMs)
      }
      from = end + 2
    }
    return text.slice(from)
  }
  const connect = (follower: Follower) => {
    const url = urls[(follower.number + follower.connections) % urls.length]!
    follower.connections += 1
    const cursor = follower.lastId === '' ? {} : { 'last-event-id': follower.lastId }
    const outgoing: ClientRequest = request(url + follower.path, {
      headers: { ...headers, ...cursor },
      agent: false,
      timeout: IDLE_MS,
    })
    outgoing.on('error', () => {}) // it is closed then
    outgoing.on('timeout', () => outgoing.destroy())
    outgoing.once('close', () => {
      follower.isOpen = false
      follower.response = undefined
      setTimeout(connect, RETRY_MS + Math.random() * RETRY_MS, follower)
    })
    outgoing.on('response', (response) => {
      response.on('error', () => {})
      if (response.statusCode !== 200) {
        response.resume()
        return
      }
      follower.response = response
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        rest = readEvents(follower, rest + text)
      })
      if (isPaused) response.pause()
    })
    outgoing.end()
  }

  const followers = Array.from(
    { length: count },
    (_, number): Follower => ({
      path: paths[number % paths.length]!,
      number,
      lastId: '',
      isOpen: false,
      connections: 0,
      received: [],
      seen: new Uint8Array(MOST_EVENTS),
      response: undefined,
    }),
  )
  for (const follower of followers) connect(follower)

  return {
    pause() {
      isPaused = true
      for (const { response } of followers) response?.pause()
    },
    resume() {
      isPaused = false
      for (const { response } of followers) response?.resume()
    },
    progress() {
      const counts = followers.map(({ received }) => received.length)
      const open = followers.filter(({ isOpen }) => isOpen).length
      return { open, fewest: Math.min(...counts), most: Math.max(...counts) }
    },
    measure() {
      delays = []
    },
    /** In milliseconds. */
    delays() {
      const sorted = Float64Array.from(delays ?? []).toSorted()
      delays = undefined
      return { count: sorted.length, p99: sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN }
    },
    /** The events in the database, and those that each follower received. */
    compare(expected: readonly ExpectedEvent[]): Compared {
      const known = new Map(expected.map((event) => [events.get(event.id)?.index, event]))
      const result = { missed: 0, invented: 0, outOfOrder: 0, received: 0, connections: 0 }
      for (const { received, connections } of followers) {
        const ranks = new Map<string, number>()
        let found = 0
        for (const index of received) {
          const event = known.get(index)
          if (event === undefined) {
            result.invented += 1
            continue
          }
          found += 1
          if (event.rank <= (ranks.get(event.subject) ?? 0)) result.outOfOrder += 1
          ranks.set(event.subject, event.rank)
        }
        result.missed += expected.length - found
        result.received += received.length
        result.connections += connections
      }
      return result
    },
  }
}

const UUID_LENGTH = 36
const DATA = 'data: {"event_id":"'
const AT = '"at":"'

// At the end, when the constants above have their values.
if (!isMainThread) {
  const commands = follow(workerData as FollowersOptions)
  parentPort!.on('message', ([name, expected]: [keyof Commands, readonly ExpectedEvent[]]) =>
    parentPort!.postMessage(commands[name](expected)),
  )
}
