import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { parentPort } from 'node:worker_threads'
import type { Answer, Command, ExpectedEvent } from './followers.ts'

interface Follower {
  readonly at: number
  lastId: string
  isOpen: boolean
  connections: number
  /** Events in the order of their first arrival. */
  received: Uint32Array
  count: number
  /** A bit for each event. */
  seen: Uint8Array
  response: IncomingMessage | undefined
  outgoing: ClientRequest | undefined
}

const RETRY_MS = 200
/** A connection without data for this long counts as broken. */
const IDLE_MS = 60_000

const followers: Follower[] = []
/** Every event that any follower received, by id. */
const events = new Map<string, { readonly index: number; readonly atMs: number }>()
let delays: Uint32Array | undefined // histogram by milliseconds, while measuring
let isPaused = false
let isStopped = false

parentPort!.on('message', (command: Command) => {
  const done = (answer: Answer) => parentPort!.postMessage(answer)
  if (command.kind === 'start') start(command)
  if (command.kind === 'pause') setPaused(true)
  if (command.kind === 'resume') setPaused(false)
  if (command.kind === 'measure') delays = new Uint32Array(LONGEST_MS + 1)
  if (command.kind === 'progress')
    done({
      kind: 'progress',
      open: followers.filter(({ isOpen }) => isOpen).length,
      fewest: Math.min(...followers.map(({ count }) => count)),
      most: Math.max(...followers.map(({ count }) => count)),
    })
  if (command.kind === 'delays') {
    done({ kind: 'delays', counts: delays ?? new Uint32Array() })
    delays = undefined
  }
  if (command.kind === 'compare') done(compare(command.expected))
  if (command.kind === 'stop') {
    isStopped = true
    for (const { outgoing } of followers) outgoing?.destroy()
    parentPort!.close()
  }
})

function start({ count, urls, paths, headers }: Extract<Command, { kind: 'start' }>): void {
  for (let at = 0; at < count; at += 1) {
    const follower: Follower = {
      at,
      lastId: '',
      isOpen: false,
      connections: 0,
      received: new Uint32Array(1_024),
      count: 0,
      seen: new Uint8Array(1_024),
      response: undefined,
      outgoing: undefined,
    }
    followers.push(follower)
    connect(follower, urls, paths[at % paths.length]!, headers)
  }
}

/** Reconnects to the other process after a lost connection, alternately. */
function connect(
  follower: Follower,
  urls: readonly string[],
  path: string,
  headers: Readonly<Record<string, string>>,
): void {
  if (isStopped) return
  const url = urls[(follower.at + follower.connections) % urls.length]!
  follower.connections += 1
  const cursor = follower.lastId === '' ? {} : { 'last-event-id': follower.lastId }
  const outgoing = request(url + path, { headers: { ...headers, ...cursor }, agent: false, timeout: IDLE_MS })
  follower.outgoing = outgoing
  let isOver = false
  const again = () => {
    if (isOver) return
    isOver = true
    follower.isOpen = false
    follower.response = undefined
    setTimeout(() => connect(follower, urls, path, headers), RETRY_MS + Math.random() * RETRY_MS)
  }
  outgoing.on('error', again)
  outgoing.on('close', again)
  outgoing.on('timeout', () => outgoing.destroy())
  outgoing.on('response', (response) => {
    follower.response = response
    if (response.statusCode !== 200) {
      response.resume()
      return
    }
    let rest = ''
    response.setEncoding('utf8')
    response.on('error', again)
    response.on('data', (text: string) => {
      rest = readEvents(follower, rest + text)
    })
    if (isPaused) response.pause()
  })
  outgoing.end()
}

/** Reads complete events; returns the rest. */
function readEvents(follower: Follower, text: string): string {
  const nowMs = Date.now()
  let from = 0
  for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n', from)) {
    const idAt = text.startsWith('id: ', from) ? from + 4 : -1
    if (idAt !== -1) {
      const idEnd = text.indexOf('\n', idAt)
      follower.lastId = text.slice(idAt, idEnd)
      follower.isOpen = true
      const dataAt = text.indexOf(DATA, idEnd)
      if (dataAt !== -1 && dataAt < end) receive(follower, text, dataAt + DATA.length, nowMs)
    }
    from = end + 2
  }
  return text.slice(from)
}

const DATA = 'data: {"event_id":"'
const AT = '"at":"'

function receive(follower: Follower, text: string, at: number, nowMs: number): void {
  const id = text.slice(at, at + 36)
  let event = events.get(id)
  if (event === undefined) {
    const timeAt = text.indexOf(AT, at) + AT.length
    event = { index: events.size, atMs: Date.parse(text.slice(timeAt, timeAt + 24)) }
    events.set(id, event)
  }
  if (hasSeen(follower, event.index)) return
  markSeen(follower, event.index)
  if (follower.count === follower.received.length) {
    const larger = new Uint32Array(follower.received.length * 2)
    larger.set(follower.received)
    follower.received = larger
  }
  follower.received[follower.count] = event.index
  follower.count += 1
  if (delays !== undefined) delays[Math.min(LONGEST_MS, Math.max(0, nowMs - event.atMs))]! += 1
}

const LONGEST_MS = 60_000

const hasSeen = ({ seen }: Follower, index: number): boolean =>
  ((seen[index >> 3] ?? 0) & (1 << (index & 7))) !== 0

function markSeen(follower: Follower, index: number): void {
  if (index >> 3 >= follower.seen.length) {
    const larger = new Uint8Array(Math.max(follower.seen.length * 2, (index >> 3) + 1))
    larger.set(follower.seen)
    follower.seen = larger
  }
  follower.seen[index >> 3]! |= 1 << (index & 7)
}

function setPaused(value: boolean): void {
  isPaused = value
  for (const { response } of followers) {
    if (value) response?.pause()
    else response?.resume()
  }
}

/** Compares the events in the database with those that each follower received. */
function compare(expected: readonly ExpectedEvent[]): Answer {
  const known = new Map<number, ExpectedEvent>()
  let unsent = 0
  for (const event of expected) {
    const sent = events.get(event.id)
    if (sent === undefined) unsent += 1
    else known.set(sent.index, event)
  }
  let missed = 0
  let invented = 0
  let outOfOrder = 0
  let received = 0
  for (const follower of followers) {
    missed += unsent
    for (const index of known.keys()) if (!hasSeen(follower, index)) missed += 1
    const ranks = new Map<string, number>()
    for (const index of follower.received.subarray(0, follower.count)) {
      const event = known.get(index)
      received += 1
      if (event === undefined) {
        invented += 1
        continue
      }
      if (event.rank <= (ranks.get(event.subject) ?? 0)) outOfOrder += 1
      ranks.set(event.subject, event.rank)
    }
  }
  const connections = followers.reduce((sum, follower) => sum + follower.connections, 0)
  return { kind: 'compared', missed, invented, outOfOrder, received, connections }
}
