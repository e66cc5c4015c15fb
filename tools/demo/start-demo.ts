import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '@continuity/dev/fault'
import { findFreePort, orAnyPort } from '@continuity/dev/ports'
import type { Stack } from '@continuity/dev/stack'
import { startTestSource, usualSource } from '@continuity/test-source/test-source'
import { importCacheLog } from './cache-log.ts'
import { fillAccount } from './fill-account.ts'
import { demoChannels } from './library.ts'
import { fileOf, makeFilms } from './make-films.ts'
import { serveFilms } from './serve-films.ts'
import { watchChannels } from './viewers.ts'

export interface Demo extends AsyncDisposable {
  /** For the processes: what the demo needs, unless a person has set it. */
  readonly settings: Readonly<Record<string, string>>
  /** Fills the account, and has it watched until it is disposed. */
  fill(stack: Pick<Stack, 'baseUrl' | 'playoutUrl' | 'demoAccount'>): Promise<void>
}

/** What stays the same when it is started again. */
interface Kept {
  readonly films_port: number
  readonly source_ports: readonly number[]
  readonly premiere_ms: number
}

const SOURCES = ['Studio camera', 'Harbour camera']
const VIEWERS = 12
const DAY_MS = 86_400_000

const SIZES = {
  usual: { channels: Infinity, films: Infinity, days: 8 },
  /** To try it out on a busy machine. */
  small: { channels: Infinity, films: 1, days: 1 },
  /** For tests. */
  first: { channels: 1, films: 1, days: 1 },
}
export type DemoSize = keyof typeof SIZES

export const isDemoSize = (text: string): text is DemoSize => Object.hasOwn(SIZES, text)

/** Small pictures, encoded quickly: four channels on two cores. */
const LADDER = '640x360@800+96'

export async function startDemo(home: string, size: DemoSize, log: (line: string) => void): Promise<Demo> {
  const { channels: mostChannels, films: most, days } = SIZES[size]
  const channels = demoChannels
    .slice(0, mostChannels)
    .map((channel) => ({ ...channel, films: channel.films.slice(0, most) }))
  const folder = join(home, 'demo')
  await mkdir(folder, { recursive: true })
  const kept = await readKept(join(folder, 'demo.json'))
  const ending = new AbortController()
  const { signal } = ending
  const opened = new AsyncDisposableStack()
  const making = makeFilms(channels, folder, signal)
  const films = await serveFilms(folder, kept.films_port, (name) => making.made(name))
  opened.defer(async () => films.close())
  const sourcePorts = await Promise.all(kept.source_ports.map(orAnyPort))
  const startSources = async () => {
    const started = []
    for (const [at, name] of size === 'usual' ? SOURCES.entries() : []) {
      const port = sourcePorts[at]!
      const source = opened.use(await startTestSource({ ...usualSource, port, hasBeeps: at === 1 }))
      started.push({ name, url: source.url })
    }
    return started
  }
  return {
    settings: {
      LADDER,
      ENCODER_PRESET: 'ultrafast',
      OUTBOUND_ALLOW: [films.port, ...sourcePorts].map((port) => `127.0.0.1:${port}`).join(','),
    },
    async fill({ baseUrl, playoutUrl, demoAccount }) {
      try {
        const { client, channelIds } = await fillAccount({
          baseUrl,
          account: demoAccount,
          channels,
          days,
          urlOf: (film) => films.urlOf(fileOf(film)),
          premiereMs: kept.premiere_ms,
          startSources,
          onFirstOnAir: () => making.makeRest(),
          log,
          signal,
        })
        log('The demo is complete')
        if (playoutUrl === undefined) return
        void watchChannels(playoutUrl, channelIds, VIEWERS, signal)
        await importCacheLog(client, playoutUrl, channelIds, signal)
      } catch (error) {
        if (!signal.aborted) log(`The demo is not complete: ${messageOf(error)}`)
      }
    },
    async [Symbol.asyncDispose]() {
      ending.abort()
      await opened.disposeAsync()
    },
  }
}

async function readKept(path: string): Promise<Kept> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text !== undefined) return JSON.parse(text) as Kept
  const made: Kept = {
    films_port: await findFreePort(),
    source_ports: [await findFreePort(), await findFreePort()],
    // At noon, so that it is easy to find in the schedule.
    premiere_ms: Math.ceil(Date.now() / DAY_MS) * DAY_MS + 2.5 * DAY_MS,
  }
  await writeFile(path, `${JSON.stringify(made, null, 2)}\n`)
  return made
}
