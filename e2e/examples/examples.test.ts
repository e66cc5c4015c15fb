import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { createClient } from '@continuity/client'
import { findFreePort } from '@continuity/dev/ports'
import { projectRoot } from '@continuity/dev/project-root'
import { startStack } from '@continuity/dev/stack'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { startTestSource, usualSource } from '@continuity/test-source/test-source'
import { Webhook } from 'standardwebhooks'
import { newContext, openPage, startBrowser, waitUntilPlaying } from '../console/open-console.ts'

/** A busy machine may be slow; everything here takes seconds. */
const PATIENCE_MS = 60_000
const HOUR_MS = 3_600_000

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const home = await temporaryFolder(opened)
const source = opened.use(await startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1 }))
const receiverPort = await findFreePort()
const stack = await startStack({
  home,
  port: 0,
  settings: {
    LADDER: '160x90@100+64',
    ENCODER_PRESET: 'ultrafast',
    OUTBOUND_ALLOW: `${new URL(source.url).host},127.0.0.1:${receiverPort}`,
  },
  withReceiver: true,
  searchPath: process.env['PATH'] ?? '',
  log: () => {},
})
opened.defer(() => stack.stop())
const { account_name, email, password } = stack.demoAccount
const client = createClient({ baseUrl: stack.baseUrl })
await client.login({ body: { account_name, email, password } })
const { linear_channel_id } = await client.createLinearChannel({ body: { title: 'North One' } })
await client.startLinearChannel({ params: { linear_channel_id } })
const { live_source_id } = await client.createLiveSource({
  body: { name: 'Harbour camera', type: 'HLS_PULL', metadata: { input_url: source.url } },
})
await client.scheduleProgram({
  body: {
    linear_channel_id,
    source_id: 'north',
    program_title: 'Harbour Nights',
    videos: [{ type: 'AD_POD', duration: 60 }],
    schedule: { start_time: new Date(Date.now() + 10 * 60_000).toISOString(), duration_ms: HOUR_MS },
  },
})
const { secret, webhook_id } = await client.createWebhook({
  body: { url: `http://127.0.0.1:${receiverPort}/`, kinds: ['channel.changed', 'override.*'] },
})
const receiver = run('webhook-receiver/receiver.ts', [], {
  PORT: `${receiverPort}`,
  WEBHOOK_SECRETS: secret,
})
// The channel is not on the air yet, and the source is IDLE: it begins when both are ready.
const longCut = cut(Date.now(), Date.now() + HOUR_MS)

test('the receiver prints each event once, and refuses what is not signed', async () => {
  const post = async (id: string, body: string, { key = secret, atMs = Date.now(), signed = body } = {}) => {
    const at = new Date(atMs)
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(atMs / 1_000)}`,
      'webhook-signature': new Webhook(key).sign(id, at, signed),
    }
    return (await fetch(`http://127.0.0.1:${receiverPort}/`, { method: 'POST', headers, body })).status
  }
  const body = JSON.stringify({
    type: 'sent.twice',
    timestamp: '',
    subject_type: '',
    subject_id: '',
    data: {},
  })
  await receiver.prints(new RegExp(`channel.changed linear_channel/${linear_channel_id} .*"status":"ON_AIR"`))

  assert.equal(await post('1', body, { key: `whsec_${Buffer.alloc(32).toString('base64')}` }), 401)
  assert.equal(await post('1', body.replace('twice', 'often'), { signed: body }), 401)
  assert.equal(await post('1', body, { atMs: Date.now() - 10 * 60_000 }), 401)
  assert.equal(await post('1', body), 204)
  assert.equal(await post('1', body), 204)
  // Deliveries have a second signature from now on, of a secret that the receiver does not know.
  await client.rotateWebhookSecret({ params: { webhook_id } })
  await client.testWebhook({ params: { webhook_id } })
  await receiver.prints(/webhook\.test/)
  assert.equal(receiver.printed().match(/sent\./g)?.length, 1)
})

test('the script activates the source, and cuts the channel to it', async () => {
  await longCut.prints(/cut: on the air at/)

  assert.equal(await overrideStatus(), 'OVERRIDDEN')
  await playlistLists(/\/live\//)
})

test('the page plays the channel, with what is on now and next, or says why not', async () => {
  const port = `${await findFreePort()}`
  const server = run('player-page/serve.ts', [], { PORT: port })
  await server.prints(/The page is at/)
  const context = await newContext(await startBrowser(opened))
  const open = async (id: string) => {
    const opening = await openPage(context)
    opening.page.setDefaultTimeout(PATIENCE_MS)
    const address = `${stack.playoutUrl}/channels/${id}/direct/index.m3u8`
    await opening.page.goto(`http://127.0.0.1:${port}/?url=${encodeURIComponent(address)}`)
    return opening
  }
  const { page, faults } = await open(linear_channel_id)
  const other = await open('unknown')

  await other.page.getByText('There is no such channel.').waitFor()
  await waitUntilPlaying(page)
  await page.getByRole('heading', { name: 'Regatta' }).waitFor()
  await page.getByText(/\d+ min left/).waitFor()
  await page.getByRole('listitem').getByText('Harbour Nights').waitFor()
  const secondsOf = async () => Number(await page.evaluate(`document.querySelector('video').currentTime`))
  const startSeconds = await secondsOf()
  const hasAdvanced = async () => (await secondsOf()) > startSeconds + 1 || undefined
  assert.ok(await pollUntil(hasAdvanced, PATIENCE_MS), 'the video stands still')
  assert.deepEqual(faults, [])
})

test('the script returns the channel on Ctrl-C or at the time, and two of it do so once', async () => {
  longCut.signal('SIGINT')
  assert.equal(await longCut.exited, 130)
  assert.match(longCut.printed(), /Ctrl-C\n.* returned: its schedule/)
  const atMs = Date.now()
  const both = [cut(atMs, atMs + 12_000), cut(atMs, atMs + 12_000)]
  assert.deepEqual(await Promise.all(both.map((one) => one.exited)), [0, 0])

  for (const one of both) assert.match(one.printed(), /on the air at .*\n.* its schedule/)
  assert.notEqual(await overrideStatus(), 'OVERRIDDEN')
  await playlistLists(/\/live\//, false)
  const count = (kind: string) => receiver.printed().split(` ${kind} `).length - 1
  await pollUntil(() => count('override.ended') >= 2 || undefined, PATIENCE_MS)
  assert.deepEqual([count('override.started'), count('override.ended')], [2, 2])
})

/** Runs an example as its README does. It ends with the file. */
function run(file: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [`examples/${file}`, ...args], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit').then(([code]: unknown[]) => code)
  opened.defer(async () => {
    child.kill()
    await exited
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  return {
    exited,
    printed: () => printed,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    async prints(pattern: RegExp) {
      const isPrinted = await pollUntil(() => pattern.test(printed) || undefined, PATIENCE_MS)
      assert.ok(isPrinted, `${file} has not printed ${pattern.source} but:\n${printed}`)
    },
  }
}

function cut(atMs: number, untilMs: number) {
  const [at, until] = [atMs, untilMs].map((ms) => new Date(ms).toISOString())
  const ids = ['--channel', linear_channel_id, '--source', live_source_id]
  const args = [...ids, '--title', 'Regatta', '--at', at!, '--until', until!]
  const login = { CONTINUITY_ACCOUNT: account_name, CONTINUITY_EMAIL: email, CONTINUITY_PASSWORD: password }
  return run('scheduled-live/cut.ts', args, { CONTINUITY_URL: stack.baseUrl, ...login })
}

async function overrideStatus(): Promise<string> {
  const channel = await client.getLinearChannel({ params: { linear_channel_id } })
  return channel.linear_channel_override_status
}

/** Waits until the newest segment of the channel is like this, or is not. */
async function playlistLists(pattern: RegExp, isWanted = true): Promise<void> {
  const isSo = async () => {
    const answer = await fetch(`${stack.playoutUrl}/channels/${linear_channel_id}/direct/90p.m3u8`)
    const newest = (await answer.text()).trimEnd().split('\n').at(-1) ?? ''
    return (answer.ok && pattern.test(newest) === isWanted) || undefined
  }
  assert.ok(
    await pollUntil(isSo, PATIENCE_MS),
    `the newest segment is${isWanted ? ' not' : ''} like ${pattern.source}`,
  )
}
