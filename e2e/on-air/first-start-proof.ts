import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pollUntil } from '@continuity/dev/waiting'
import { sql } from 'kysely'
import { DEFAULT_LADDER, printLadder } from '../../packages/core/src/media/ladder.ts'
import {
  aProgramOf,
  createAccount,
  type IngestSystem,
  openSession,
  startIngestSystem,
  untilSlatesAreMade,
} from '../ingest/ingest-system.ts'
import { proof } from '../proofs/proof.ts'
import { createChannel, PATIENCE_MS, startChannel } from './channels.ts'
import { addressOf, fetchAnswer } from './fetch-playlist.ts'
import { startNatsServer } from './on-air-system.ts'
import { directOf } from './output-watch.ts'
import { openPlayoutNode } from './playout-node.ts'
import { temporaryFolder } from './temporary-folder.ts'

interface FirstStartSize {
  readonly ladder: string
  readonly preset: string
  /** Time from creating the account to the first playlist; without it, there is no limit. */
  readonly withinMs?: number
}

/** As many as a worker packages concurrently. */
const UPLOADS = 2

const LOGIN = { account_name: 'new', email: 'admin@new.example', password: 'the tide is in today' }

export const firstStart = proof<FirstStartSize>({
  name: 'first-start',
  title: 'A new account on the air within seconds',
  promise:
    'An account is created while every upload lane of the only worker is taken by files that do not arrive. Its first ' +
    'channel is started at once: the slates are drawn and encoded in all renditions of the default ladder, and a playout ' +
    'node serves the channel within 15 s of the creation of the account.',
  watches: [
    'packages/core/src/packaging',
    'packages/server/src/modules/assets',
    'packages/server/src/modules/ingest',
    'packages/server/src/modules/schedule',
    'packages/server/src/platform/jobs',
    'e2e/on-air/first-start-proof.ts',
  ],
  sabotage: {
    title: 'slates wait in the lane of uploads',
    changes: [
      {
        file: 'packages/server/src/modules/assets/create-asset.ts',
        from: "slateKindOf(file) === undefined ? 'package_asset' : 'make_slate'",
        to: "slateKindOf(file) === undefined ? 'package_asset' : 'package_asset'",
      },
    ],
    missed: ['slates_waiting_behind_uploads', 'channels_served'],
  },
  sizes: {
    small: { ladder: '160x90@100+64', preset: 'ultrafast' },
    full: { ladder: printLadder(DEFAULT_LADDER), preset: 'veryfast', withinMs: 15_000 },
  },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const partner = await startStalledPartner(opened)
    const nats = await startNatsServer(opened)
    const settings = { LADDER: size.ladder, ENCODER_PRESET: size.preset }
    const system = await startIngestSystem(opened, { allow: [partner.host], natsUrls: nats.urls, settings })
    await system.startWorker('worker')
    const node = await openPlayoutNode(opened, {
      home: join(await temporaryFolder(opened), 'node'),
      mediaFolder: system.mediaFolder,
      natsUrl: nats.urls.playout_1,
      settings,
    })
    // So that only the slates of the new account are measured.
    await untilSlatesAreMade(system)
    const files = Array.from({ length: UPLOADS }, (_, at) => ({
      name: `film-${at}`,
      address: `http://${partner.host}/film-${at}.mp4`,
    }))
    await system.submit(aProgramOf(system.channelId, files))
    await pollUntil(() => Promise.resolve(partner.filesRequested() >= UPLOADS || undefined), PATIENCE_MS)
    log(`${partner.filesRequested()} uploads are in progress`)

    const startedMs = performance.now()
    const account = await openAccount(system)
    const channelId = await createChannel(account, { title: 'First' })
    await startChannel(account, channelId)
    const playlist = addressOf(node.url(), directOf(channelId), 'index.m3u8')
    let waiting = 0
    const status = await pollUntil(async () => {
      waiting = await countWaitingSlates(system, account.accountId)
      // Slates queued behind uploads wait until those finish.
      if (waiting > 0) return 0
      return (await fetchAnswer(playlist)).status === 200 ? 200 : undefined
    }, PATIENCE_MS)
    const servedMs = Math.round(performance.now() - startedMs)
    return {
      figures: {
        uploads_under_way: partner.filesRequested(),
        slates_waiting_behind_uploads: waiting,
        channels_served: status === 200 ? 1 : 0,
        served_after_ms: servedMs,
      },
      targets: {
        uploads_under_way: { is: UPLOADS },
        slates_waiting_behind_uploads: { is: 0 },
        channels_served: { is: 1 },
        ...(size.withinMs !== undefined && { served_after_ms: { atMost: size.withinMs } }),
      },
    }
  },
})

/** A server that accepts requests for files and never sends one. */
async function startStalledPartner(opened: AsyncDisposableStack) {
  // A worker requests a file again that does not arrive.
  const requested = new Set<string>()
  const server = createServer(({ url = '' }, response) => {
    requested.add(url)
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '1000000' }).flushHeaders()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, filesRequested: () => requested.size }
}

async function openAccount({ postgres, apiUrl }: IngestSystem) {
  await createAccount(postgres().ownerUrl, LOGIN, 'New account')
  const { call } = await openSession(apiUrl, LOGIN)
  const { account_id: accountId } = await call<{ account_id: string }>('GET', '/api/2.1/account')
  return { call, accountId }
}

async function countWaitingSlates({ database }: IngestSystem, accountId: string): Promise<number> {
  const { rows } = await sql<{ readonly waiting: number }>`
    select count(*) as waiting from pgboss.job
     where name = 'package_asset' and data ->> 'accountId' = ${accountId}`.execute(database.platform)
  return rows[0]!.waiting
}
