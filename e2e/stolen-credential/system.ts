import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureFeedKeys, type FeedKeySettings } from '@continuity/dev/feed-keys'
import { mediaFolder } from '@continuity/dev/make-home'
import type { NatsUrls } from '@continuity/dev/nats-users'
import { waitForNode } from '@continuity/dev/node-process'
import { removeHome } from '@continuity/dev/remove-home'
import { startStack } from '@continuity/dev/stack'
import { startWorker } from '@continuity/dev/worker-process'
import { createChannel, startChannel, untilAnswered, untilOnAir } from '../on-air/channels.ts'
import { directOf, type WatchedOutput } from '../on-air/output-watch.ts'
import { openPlayoutNode } from '../on-air/playout-node.ts'
import { logIn, requireSession } from '../sessions/session-calls.ts'

/** The system of `npm start`, with two more nodes and a channel on air. */
export interface RobbedSystem {
  readonly natsUrls: NatsUrls
  readonly feedKeys: FeedKeySettings
  readonly output: WatchedOutput
  readonly workerUrl: string
  /** Both verify the feed. */
  readonly nodeUrls: readonly [string, string]
  /** A node without keys, for comparison. */
  readonly trustingUrl: string
  call<T>(method: string, path: string, body?: unknown): Promise<T>
}

const SETTINGS = { LADDER: '160x90@100+64' }

export async function startRobbedSystem(opened: AsyncDisposableStack): Promise<RobbedSystem> {
  const home = await mkdtemp(join(tmpdir(), 'continuity-stolen-'))
  opened.defer(() => removeHome(home))
  const feedKeys = await ensureFeedKeys(home)
  const searchPath = process.env['PATH'] ?? ''
  const stack = await startStack({
    home,
    port: 0,
    settings: { ...SETTINGS, PATH: searchPath },
    withoutWorker: true,
    searchPath,
    log: () => {},
  })
  opened.defer(() => stack.stop())
  const { natsUrls, databaseUrl, baseUrl } = stack
  const settings = { ...SETTINGS, PATH: searchPath, ...feedKeys.signing }
  const worker = await startWorker({ home, databaseUrl, natsUrl: natsUrls.worker, settings })
  opened.defer(() => worker.stop())
  const openNode = (name: string, more: Readonly<Record<string, string>>) =>
    openPlayoutNode(opened, {
      home: join(home, name),
      mediaFolder: mediaFolder(home),
      natsUrl: natsUrls.playout_2,
      settings: { ...SETTINGS, ...more },
    })
  const { account_name, email, password } = stack.demoAccount
  const [workerUrl, second, trusting, session] = await Promise.all([
    waitForNode(worker),
    openNode('second', feedKeys.verifying),
    openNode('trusting', {}),
    logIn(baseUrl, { account_name, email, password }, '127.0.0.1'),
  ])
  const { token, device_id } = requireSession(session)
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        'x-service-auth': token.token_access,
        'x-service-device': device_id,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const output = directOf(await createChannel({ call }, { title: 'Robbed' }))
  const nodeUrls = [stack.playoutUrl!, second.url()] as const
  await startChannel({ call }, output.channelId)
  await untilOnAir({ call }, output.channelId, 60_000)
  await untilAnswered([...nodeUrls, trusting.url()], output, 20_000)
  return { natsUrls, feedKeys, output, workerUrl, nodeUrls, trustingUrl: trusting.url(), call }
}
