import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient, UnreachableError } from '@continuity/client'

const USAGE = `Usage: node cut.ts --channel ID --source ID [--title 'In the guide']
  --at 2026-11-20T20:00:00Z --until 2026-11-20T21:00:00Z`

/** Activating a source takes up to 30 s, and a person can still do something if it has no signal. */
const PREPARE_MS = 120_000
const RETRY_MS = 2_000

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { channel: text, source: text, title: text, at: text, until: text } })
const { channel: channelId = '', source: sourceId = '', title = 'Live', at = '', until = '' } = values
const [atMs, untilMs] = [Date.parse(at), Date.parse(until)]
// With a zone: 20:00 is another moment on a server than at home.
const hasZones = [at, until].every((time) => /(?:Z|[+-]\d\d:\d\d)$/.test(time))
if (channelId === '' || sourceId === '' || !hasZones || !(atMs < untilMs)) {
  console.error(USAGE)
  process.exit(2)
}

const { CONTINUITY_URL, CONTINUITY_ACCOUNT, CONTINUITY_EMAIL, CONTINUITY_PASSWORD } = process.env
const client = createClient({ baseUrl: CONTINUITY_URL ?? 'http://127.0.0.1:8080' })
const channel = { linear_channel_id: channelId }
const source = { params: { live_source_id: sourceId } }
// The same in every run with the same times, so that the service does each of the two once.
const cutKey = `cut-${channelId}-${sourceId}-${atMs}`
const returnKey = `return-${channelId}-${sourceId}-${untilMs}`

// Once: a second Ctrl-C ends the program at once, as it would without this line.
const cancelled = new AbortController()
process.once('SIGINT', () => cancelled.abort(new Error('Ctrl-C')))
const { signal } = cancelled

let lastSaid = ''
// An earlier run may have cut the channel, and been killed.
let mayBeLive = Date.now() >= atMs
try {
  await retrying(open, untilMs, signal)
  await showSource().catch((error: unknown) => {
    say(messageOf(signal.aborted ? signal.reason : error))
    process.exitCode = signal.aborted ? 130 : 1
  })
  // Whatever has happened, and however long it takes: nobody else brings the channel back.
  if (mayBeLive) await retrying(returnToSchedule, Number.POSITIVE_INFINITY)
  else say('nothing was cut')
} catch (error) {
  say(messageOf(error))
  if (mayBeLive) say(`the channel may be live: npx continuity live return --channels ${channelId}`)
  process.exitCode = 1
}

async function showSource(): Promise<void> {
  if (Date.now() >= untilMs) throw new Error('the time is over, nothing is cut')
  await waitUntil(atMs - PREPARE_MS)
  // Once more: a session lasts 30 days at most, and the wait may have been longer.
  await retrying(open, untilMs, signal)
  await retrying(requireSignal, untilMs, signal)
  await waitUntil(atMs)
  mayBeLive = true
  await retrying(cut, untilMs, signal)
  await waitUntil(untilMs)
}

async function open(): Promise<void> {
  const [account_name, email] = [CONTINUITY_ACCOUNT ?? 'demo', CONTINUITY_EMAIL ?? 'demo@demo.example']
  await client.login({ body: { account_name, email, password: CONTINUITY_PASSWORD ?? '' } }, { signal })
  const { title } = await client.getLinearChannel({ params: channel }, { signal })
  const { name } = await client.getLiveSource(source, { signal })
  say(`${title} goes to ${name} at ${at}, and back at ${until}`)
}

/** A source in ERROR is not activated again: it becomes ACTIVE by itself when its signal is back. */
async function requireSignal(): Promise<void> {
  let { status, status_detail } = await client.getLiveSource(source, { signal })
  if (status === 'IDLE') ({ status, status_detail } = await client.activateLiveSource(source, { signal }))
  if (status !== 'ACTIVE')
    throw refusal(409, `the source is ${status}: ${status_detail?.message ?? 'it is validated'}`)
  say('the source is ACTIVE')
}

/** Without the signal: after Ctrl-C a cut that was sent is awaited, or it could come after the return. */
async function cut(): Promise<void> {
  const sentMs = Date.now()
  const body = [{ ...channel, title }]
  const [result] = await client.overrideChannels({ ...source, body }, { idempotencyKey: cutKey })
  if (result?.status !== 200) throw refusal(result?.status, result?.message)
  const isOld = Date.parse(result.on_air_at ?? '') < sentMs
  say(`${isOld ? 'it was cut before' : 'cut'}: on the air at ${result.on_air_at}`)
}

async function returnToSchedule(): Promise<void> {
  const { program } = await client.readOnAirNow({ params: channel })
  // Only an override has no end. One with another title was made by a person, who knows better.
  if (program?.end_time === null && program.title !== title) return say(`${program.title} is on, and stays`)
  const [result] = await client.returnChannelsToSchedule({ body: [channel] }, { idempotencyKey: returnKey })
  if (result?.code === 'channel.not_overridden') return say('the channel follows its schedule')
  if (result?.status !== 200) throw refusal(result?.status, result?.message)
  say(`returned: its schedule is on the air at ${result.on_air_at}`)
}

/** Tries again after what may pass: a lost connection, a busy service, a channel or a source that is not ready. */
async function retrying(attempt: () => Promise<void>, endMs: number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const waitMs = waitAfter(error)
      if (signal?.aborted || waitMs === undefined || Date.now() + waitMs > endMs) throw error
      say(`trying again: ${messageOf(error)}`)
      await sleep(waitMs, undefined, signal && { signal })
    }
  }
}

/** The client has repeated the call for some seconds already, but not if Retry-After was longer than half a minute. */
function waitAfter(error: unknown): number | undefined {
  if (error instanceof UnreachableError) return RETRY_MS
  const { status = 0, retryAfterMs = 0 } = error as { status?: number; retryAfterMs?: number }
  return [409, 429].includes(status) || status >= 500 ? Math.max(retryAfterMs, RETRY_MS) : undefined
}

/** Steps of a minute at most, so that it is right also after the machine has slept, or its clock was set. */
async function waitUntil(ms: number): Promise<void> {
  while (Date.now() < ms) await sleep(Math.min(ms - Date.now(), 60_000), undefined, { signal })
}

function refusal(status = 0, message = 'there is no result'): Error {
  return Object.assign(new Error(message), { status })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function say(text: string): void {
  // A reason to wait is said once, and not every two seconds.
  if (text !== lastSaid) console.log(`${new Date().toISOString()} ${text}`)
  lastSaid = text
}
