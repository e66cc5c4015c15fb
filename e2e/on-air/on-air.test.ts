import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@continuity/client'
import { partsOf } from '@continuity/dev/kill-and-start'
import { runTool } from '@continuity/dev/run-tool'
import { startStack } from '@continuity/dev/stack'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { createPlaylistValidator } from '@continuity/playlist-validator'
import { startTestSource, usualSource } from '@continuity/test-source/test-source'

/** A busy machine may be slow; everything here takes seconds. */
const PATIENCE_MS = 60_000
const CHECK_EVERY_MS = 1_000
/** Of the account's house format. */
const FRAME_RATE = 30

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const home = await temporaryFolder(opened)
const source = opened.use(await startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1 }))
const settings = {
  LADDER: '160x90@100+64',
  ENCODER_PRESET: 'ultrafast',
  OUTBOUND_ALLOW: new URL(source.url).host,
}
const stack = await startStack({
  home,
  port: 0,
  settings,
  withReceiver: true,
  searchPath: process.env['PATH'] ?? '',
  log: () => {},
})
opened.defer(() => stack.stop())
const parts = partsOf(opened, home, stack, settings)
const client = createClient({ baseUrl: stack.baseUrl })
const { account_name, email, password } = stack.demoAccount
await client.login({ body: { account_name, email, password } })
const { linear_channel_id } = await client.createLinearChannel({ body: { title: 'North One' } })
const channel = { linear_channel_id }
const playlist = `${stack.playoutUrl}/channels/${linear_channel_id}/direct/90p.m3u8`

interface Segment {
  readonly seconds: number
  readonly file: string
}

/** What a player that never stops has been given. */
const watched = {
  faults: [] as string[],
  playlists: 0,
  segments: new Map<string, Segment>(),
  newest: '',
  text: '',
}
const validator = createPlaylistValidator({ targetDuration: 5, maxWindowMs: 32_000 })

async function watch(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await look().catch((error: unknown) => watched.faults.push(String(error)))
    await sleep(CHECK_EVERY_MS)
  }
}

/** Reads the playlist once as a player does, and fetches every segment that is new. */
async function look(): Promise<void> {
  const answer = await fetch(playlist)
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`the playlist: ${answer.status} ${text}`)
  const found = validator.checkMedia({ atMs: Date.now(), rendition: '90p', text })
  watched.faults.push(...found.map(({ rule, detail }) => `${rule}: ${detail}`))
  watched.playlists += 1
  for (const [, seconds, address = ''] of text.matchAll(/^#EXTINF:([\d.]+),\n(.+)$/gm)) {
    watched.newest = address
    if (watched.segments.has(address)) continue
    const segment = await fetch(new URL(address, playlist))
    if (segment.status !== 200) throw new Error(`${address}: ${segment.status}`)
    const file = join(home, `${watched.segments.size}.ts`)
    await writeFile(file, Buffer.from(await segment.arrayBuffer()))
    watched.segments.set(address, { seconds: Number(seconds), file })
  }
  watched.text = text
}

const ended = new AbortController()
let watching = Promise.resolve()
opened.defer(async () => {
  ended.abort()
  await watching
})

const LIVE = /\/live\//

/** Waits until the newest segment is of a live source, or until it is not. */
async function untilNewest(isLive: boolean): Promise<void> {
  const isRight = () => (watched.newest !== '' && LIVE.test(watched.newest) === isLive) || undefined
  assert.ok(await pollUntil(isRight, PATIENCE_MS), `the newest segment is ${watched.newest}`)
}

const untilListed = async (pattern: RegExp) =>
  assert.ok(await pollUntil(() => pattern.test(watched.text) || undefined, PATIENCE_MS), watched.text)

const overrideStatus = async () =>
  (await client.listLinearChannels()).find((one) => one.linear_channel_id === linear_channel_id)
    ?.linear_channel_override_status

test('a channel that is started is served', async () => {
  await client.startLinearChannel({ params: channel })

  const isServed = async () => (await fetch(playlist)).status === 200 || undefined
  assert.ok(await pollUntil(isServed, PATIENCE_MS))
  watching = watch(ended.signal)
  await untilNewest(false)
})

test('it is cut to a live source, with an ad break that ends early, to its rescue slate, and back', async () => {
  const { live_source_id } = await client.createLiveSource({
    body: { name: 'Harbour', type: 'HLS_PULL', metadata: { input_url: source.url } },
  })
  const params = { live_source_id }
  await client.activateLiveSource({ params })
  const isReceived = async () => (await client.getLiveSource({ params })).status === 'ACTIVE' || undefined
  assert.ok(await pollUntil(isReceived, PATIENCE_MS))

  const [cut] = await client.overrideChannels({ params, body: [channel] })
  assert.equal(cut?.status, 200)
  await untilNewest(true)
  await client.insertAdBreak({ params, body: { duration: 60 } })
  await untilListed(/#EXT-X-CUE-OUT:/)
  await client.endAdBreak({ params })
  await untilListed(/#EXT-X-CUE-IN$/m)
  await client.rescueChannels({ body: [channel] })
  await untilNewest(false)
  assert.equal(await overrideStatus(), 'OVERRIDDEN')
  await client.returnChannelsToSchedule({ body: [channel] })

  const isReturned = async () => (await overrideStatus()) !== 'OVERRIDDEN' || undefined
  assert.ok(await pollUntil(isReturned, PATIENCE_MS))
})

test('it plays on without the API, the worker and PostgreSQL, and obeys again when they are back', async () => {
  for (const part of ['The API', 'The worker', 'PostgreSQL'] as const) await parts.kill(part)
  const before = watched.segments.size
  assert.ok(await pollUntil(() => watched.segments.size >= before + 3 || undefined, PATIENCE_MS))

  for (const part of ['PostgreSQL', 'The API', 'The worker'] as const) await parts.start(part)
  const [source] = (await client.listLiveSources()).hits
  await client.overrideChannels({ params: { live_source_id: source!.live_source_id }, body: [channel] })

  await untilNewest(true)
})

test('a player got a right playlist every second, and every segment decodes without a fault', async (t) => {
  ended.abort()
  await watching
  t.diagnostic(`${watched.playlists} playlists, ${watched.segments.size} segments`)
  assert.deepEqual(watched.faults, [])
  assert.ok(watched.playlists >= 20 && watched.segments.size >= 10)
  for (const [address, { seconds, file }] of watched.segments) {
    const decode = ['-v', 'error', '-i', file, '-map', '0', '-progress', 'pipe:1', '-f', 'null', '-']
    const { stdout, stderr } = await runTool('ffmpeg', decode)
    const frames = Number([...stdout.toString().matchAll(/^frame=(\d+)$/gm)].at(-1)?.[1])
    assert.deepEqual([frames, stderr.toString()], [seconds * FRAME_RATE, ''], address)
  }
})
