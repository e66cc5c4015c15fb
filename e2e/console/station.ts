import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Client, createClient } from '@continuity/client'
import { startApi } from '@continuity/dev/api-process'
import { ensureCredentialKeys } from '@continuity/dev/credential-keys'
import type { DemoAccount } from '@continuity/dev/demo-account'
import { ensureFeedKeys } from '@continuity/dev/feed-keys'
import { birthOf } from '@continuity/dev/left-behind'
import { waitForNode } from '@continuity/dev/node-process'
import { startOrigin } from '@continuity/dev/origin'
import { ensureSecretKeys, ensureViewingKey } from '@continuity/dev/secret-keys'
import { type Stack, startStack } from '@continuity/dev/stack'
import { findStackFile } from '@continuity/dev/stack-file'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { startTestSource, usualSource } from '@continuity/test-source/test-source'
import { ensureConsole } from '../../tools/console/build.ts'
import type { Files } from './film-server.ts'

/** A small station in a complete system with the console. */
export interface Station {
  readonly baseUrl: string
  readonly playoutUrl: string
  readonly login: DemoAccount
  readonly client: Client
  readonly databaseOwnerUrl: string
  /** Ends the API process at once, without a drain. */
  killApi(): Promise<void>
  /** Starts it again at the same address, and waits until it is ready. */
  startApiAgain(): Promise<void>
  /** Schedules a program a minute from now, of clips that are served to the system. */
  scheduleProgram(channelId: string, title: string, durationMs: number): Promise<void>
  /** What a partner serves to it. */
  readonly files: Files
  /** Ids by title: North One and North Two are on air, North Three is not. */
  readonly channelIds: Readonly<Record<string, string>>
}

/** A program has to be requested a minute before its start. */
const NOTICE_MS = 75_000
const HOUR_MS = 3_600_000

const PATIENCE_MS = 120_000

/** A clip of one colour, unlike the rescue slate and the live source; its plays last longer than any test. */
const CLIP = 'green.mp4'
const PLAYS = 60

async function makeClip(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const picture = ['-f', 'lavfi', '-i', 'color=c=0x00c853:size=160x90:rate=30:duration=6.4']
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=300:duration=6.4']
  const to = ['-preset', 'ultrafast', '-shortest', join(folder, CLIP)]
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...picture, ...sound, ...to])
}

export async function startStation(opened: AsyncDisposableStack): Promise<Station> {
  await ensureConsole()
  const folder = await temporaryFolder(opened)
  const home = await temporaryFolder(opened)
  await makeClip(join(folder, 'files'))
  const origin = opened.use(await startOrigin(join(folder, 'files')))
  const source = opened.use(await startTestSource({ ...usualSource, size: '320x180', segmentSeconds: 1 }))
  const settings = {
    LADDER: '320x180@200+64',
    ENCODER_PRESET: 'ultrafast',
    OUTBOUND_ALLOW: [origin.host, new URL(source.url).host].join(','),
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
  const client = createClient({ baseUrl: stack.baseUrl })
  const { account_name, email, password } = stack.demoAccount
  await client.login({ body: { account_name, email, password } })
  await client.createLiveSource({
    body: { name: 'Harbour camera', type: 'HLS_PULL', metadata: { input_url: source.url } },
  })

  const channelIds: Record<string, string> = {}
  for (const title of ['North One', 'North Two', 'North Three']) {
    channelIds[title] = (await client.createLinearChannel({ body: { title } })).linear_channel_id
  }
  const onAir = ['North One', 'North Two'].map((title) => channelIds[title]!)
  for (const linear_channel_id of onAir) await client.startLinearChannel({ params: { linear_channel_id } })
  const scheduleProgram = async (linear_channel_id: string, program_title: string, duration_ms: number) => {
    await client.scheduleProgram({
      body: {
        linear_channel_id,
        source_id: 'north',
        program_title,
        videos: Array.from({ length: PLAYS }, () => ({
          type: 'VIDEO' as const,
          video_source_id: CLIP,
          title: 'Green',
          video_url: origin.addressOf(CLIP),
          duration: 7,
        })),
        schedule: { start_time: new Date(Date.now() + NOTICE_MS).toISOString(), duration_ms },
      },
    })
  }
  await scheduleProgram(onAir[0]!, 'Harbour Nights', HOUR_MS)
  const isOnAir = async () => {
    const channels = await client.listLinearChannels({ query: { status: 'ON_AIR' } })
    return channels.length === onAir.length || undefined
  }
  if (!(await pollUntil(isOnAir, PATIENCE_MS))) throw new Error('the channels are not on air in time')
  return {
    baseUrl: stack.baseUrl,
    playoutUrl: stack.playoutUrl!,
    login: stack.demoAccount,
    client,
    databaseOwnerUrl: stack.databaseOwnerUrl,
    scheduleProgram,
    files: { folder: join(folder, 'files'), addressOf: (name) => origin.addressOf(name) },
    killApi: () => killApi(home),
    startApiAgain: () => startApiAgain(opened, home, stack, settings),
    channelIds,
  }
}

async function killApi(home: string): Promise<void> {
  const api = (await findStackFile(home))?.processes.find(({ name }) => name === 'The API')
  if (api === undefined) throw new Error('there is no API process')
  process.kill(api.pid, 'SIGKILL')
  const isGone = async () => (await birthOf(api.pid)) === undefined || undefined
  await pollUntil(isGone, PATIENCE_MS)
}

async function startApiAgain(
  opened: AsyncDisposableStack,
  home: string,
  stack: Stack,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const [feedKeys, secretKeys, viewingKey] = await Promise.all([
    ensureFeedKeys(home),
    ensureSecretKeys(home),
    ensureViewingKey(home),
  ])
  const api = await startApi({
    home,
    port: Number(new URL(stack.baseUrl).port),
    databaseUrl: stack.databaseUrl,
    natsUrl: stack.natsUrls.api,
    credentialKeysFile: await ensureCredentialKeys(home),
    playoutUrl: stack.playoutUrl,
    settings: { ...feedKeys.signing, ...secretKeys, ...viewingKey, ...settings },
  })
  opened.defer(() => api.stop())
  await waitForNode(api)
}
