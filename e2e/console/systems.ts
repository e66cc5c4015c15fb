import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient } from '@continuity/client'
import type { DemoAccount } from '@continuity/dev/demo-account'
import { type Parts, partsOf } from '@continuity/dev/kill-and-start'
import { startOrigin } from '@continuity/dev/origin'
import { runTool } from '@continuity/dev/run-tool'
import { type Stack, type StackOptions, startStack } from '@continuity/dev/stack'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { startTestSource, usualSource } from '@continuity/test-source/test-source'
import { ensureConsole } from '../../tools/console/build.ts'
import type { Files } from './film-server.ts'

/** A system with the console and channels of which none is on air, for screens that show no picture. */
export interface Office {
  readonly baseUrl: string
  readonly login: DemoAccount
  readonly client: Client
  readonly databaseOwnerUrl: string
  /** Ids by title. */
  readonly channelIds: Record<string, string>
}

export interface OfficeOptions {
  readonly titles: readonly string[]
  readonly allowedHosts?: readonly string[]
  /** For screens that play what was packaged. */
  readonly withPlayout?: boolean
}

/** Small and fast: tests do not depend on the picture. */
const quickMedia = { LADDER: '160x90@100+64', ENCODER_PRESET: 'ultrafast' }

export async function startOffice(
  opened: AsyncDisposableStack,
  { titles, allowedHosts = [], withPlayout = false }: OfficeOptions,
): Promise<Office> {
  const { office } = await startWithConsole(opened, titles, {
    settings: {
      ...quickMedia,
      ...(withPlayout ? {} : { PLAYOUT_BASE_URL: 'https://play.north.example/' }),
      OUTBOUND_ALLOW: allowedHosts.join(','),
    },
    withoutPlayout: !withPlayout,
    withConsoleLogin: true,
  })
  return office
}

/** A small station: North One and North Two are on air, North Three is not. */
export interface Station extends Office {
  readonly playoutUrl: string
  /** What can be killed and started again. */
  readonly parts: Parts
  /** Schedules a program a minute from now, of clips that are served to the system. */
  scheduleProgram(channelId: string, title: string, durationMs: number): Promise<void>
  /** What a partner serves to it. */
  readonly files: Files
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
  await runTool('ffmpeg', [...picture, ...sound, '-preset', 'ultrafast', '-shortest', join(folder, CLIP)])
}

export async function startStation(opened: AsyncDisposableStack): Promise<Station> {
  const folder = join(await temporaryFolder(opened), 'files')
  await makeClip(folder)
  const origin = opened.use(await startOrigin(folder))
  const source = opened.use(await startTestSource({ ...usualSource, size: '320x180', segmentSeconds: 1 }))
  const settings = {
    LADDER: '320x180@200+64',
    ENCODER_PRESET: 'ultrafast',
    OUTBOUND_ALLOW: [origin.host, new URL(source.url).host].join(','),
  }
  const titles = ['North One', 'North Two', 'North Three']
  const { office, stack, home } = await startWithConsole(opened, titles, { settings, withReceiver: true })
  const { client, channelIds } = office
  await client.createLiveSource({
    body: { name: 'Harbour camera', type: 'HLS_PULL', metadata: { input_url: source.url } },
  })
  const onAir = ['North One', 'North Two'].map((title) => channelIds[title]!)
  for (const linear_channel_id of onAir) await client.startLinearChannel({ params: { linear_channel_id } })
  const scheduleProgram = async (linear_channel_id: string, program_title: string, duration_ms: number) => {
    const video = { type: 'VIDEO', video_source_id: CLIP, title: 'Green', duration: 7 } as const
    const videos = Array.from({ length: PLAYS }, () => ({ ...video, video_url: origin.addressOf(CLIP) }))
    const schedule = { start_time: new Date(Date.now() + NOTICE_MS).toISOString(), duration_ms }
    await client.scheduleProgram({
      body: { linear_channel_id, source_id: 'north', program_title, videos, schedule },
    })
  }
  await scheduleProgram(onAir[0]!, 'Harbour Nights', HOUR_MS)
  const isOnAir = async () => {
    const channels = await client.listLinearChannels({ query: { status: 'ON_AIR' } })
    return channels.length === onAir.length || undefined
  }
  if (!(await pollUntil(isOnAir, PATIENCE_MS))) throw new Error('the channels are not on air in time')
  return {
    ...office,
    playoutUrl: stack.playoutUrl!,
    parts: partsOf(opened, home, stack, settings),
    scheduleProgram,
    files: { folder, addressOf: (name) => origin.addressOf(name) },
  }
}

async function startWithConsole(
  opened: AsyncDisposableStack,
  titles: readonly string[],
  options: Partial<StackOptions>,
): Promise<{ office: Office; stack: Stack; home: string }> {
  await ensureConsole()
  const home = await temporaryFolder(opened)
  const usual = { home, port: 0, searchPath: process.env['PATH'] ?? '', log: () => {} }
  const stack = await startStack({ ...usual, ...options })
  opened.defer(() => stack.stop())
  const client = createClient({ baseUrl: stack.baseUrl })
  const { account_name, email, password } = stack.demoAccount
  await client.login({ body: { account_name, email, password } })
  const channelIds: Record<string, string> = {}
  for (const title of titles) {
    channelIds[title] = (await client.createLinearChannel({ body: { title } })).linear_channel_id
  }
  const { baseUrl, demoAccount: login, databaseOwnerUrl } = stack
  return { office: { baseUrl, login, client, databaseOwnerUrl, channelIds }, stack, home }
}
