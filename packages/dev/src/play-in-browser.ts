import { createReadStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { projectRoot } from './project-root.ts'

export interface Played {
  /** Seconds played. */
  readonly seconds: number
  readonly faults: readonly string[]
}

export const CHROMIUM = '/usr/bin/chromium'
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
]

const PLAY_MS = 120_000

/** Playback speed, to save time. */
const SPEED = 4

/** Plays each address to its end in a real browser: HLS by hls.js, MP4 natively. */
export async function playInBrowser(addresses: readonly string[]): Promise<Played[]> {
  await using opened = new AsyncDisposableStack()
  const page = await openPage(opened)
  const played: Played[] = []
  for (const address of addresses)
    played.push(await page.evaluate(play, { address, limitMs: PLAY_MS, speed: SPEED }))
  return played
}

/** Opens a page with hls.js and a muted video element. */
export async function openPage(opened: AsyncDisposableStack) {
  const server = await startPageServer(opened)
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  opened.defer(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return page
}

/** Serves that page. */
export async function startPageServer(opened: AsyncDisposableStack): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/hls.js')
      return response
        .setHeader('content-type', 'text/html')
        .end('<script src="/hls.js"></script><video muted>')
    response.setHeader('content-type', 'text/javascript')
    return createReadStream(join(projectRoot, 'node_modules/hls.js/dist/hls.min.js')).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

interface PlayOptions {
  readonly address: string
  readonly limitMs: number
  readonly speed: number
}

/** Runs in the page. */
async function play({ address, limitMs, speed }: PlayOptions): Promise<Played> {
  const { document, Hls } = globalThis as unknown as PageGlobals
  const video = document.querySelector('video')
  const faults: string[] = []
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  video.addEventListener('ended', end)
  video.addEventListener('error', () => {
    faults.push(`the browser: ${video.error?.message}`)
    end()
  })
  setTimeout(end, limitMs)
  const hls = address.includes('.m3u8') ? new Hls() : undefined
  if (hls === undefined) video.src = address
  hls?.on(Hls.Events.ERROR, (_event, { details, fatal }) => {
    faults.push(`hls.js: ${details}${fatal ? '!' : ''}`)
    if (fatal) end()
  })
  hls?.loadSource(address)
  hls?.attachMedia(video)
  video.defaultPlaybackRate = speed
  video.playbackRate = speed
  await video.play().catch((error: unknown) => faults.push(String(error)))
  await ended
  const seconds = video.ended ? video.currentTime : 0
  hls?.destroy()
  return { seconds, faults }
}

/** The part of the page that is used; the project has no browser types. */
interface PageGlobals {
  readonly document: { querySelector(name: 'video'): PageVideo }
  readonly Hls: PageHls
}

interface PageVideo {
  addEventListener(event: 'ended' | 'error', work: () => void): void
  src: string
  defaultPlaybackRate: number
  playbackRate: number
  readonly ended: boolean
  readonly currentTime: number
  readonly error: { readonly message: string } | null
  play(): Promise<void>
}

interface PageHls {
  new (): {
    on(event: string, work: (event: string, data: { details: string; fatal: boolean }) => void): void
    loadSource(address: string): void
    attachMedia(video: PageVideo): void
    destroy(): void
  }
  readonly Events: { readonly ERROR: string }
}
