import { createRequire } from 'node:module'

/**
 * channel-engine with channels that each play one video after another.
 *
 * The installed version does not start: it allows any restify from 8.5 on, and restify 11 rejects its handlers, which
 * take a callback and are asynchronous. Wrapped in synchronous functions they work.
 */
type Handler = (request: unknown, response: unknown, next: unknown) => unknown

interface RestifyServer {
  get(path: unknown, ...handlers: Handler[]): unknown
  listen(port: number, host: string, listening: () => void): void
  address(): { readonly port: number }
}

interface Engine {
  readonly server: RestifyServer
  start(): void
}

type EngineClass = new (assets: unknown, options: unknown) => Engine

const require = createRequire(import.meta.url)
const restify = require('restify') as { createServer: (...options: unknown[]) => RestifyServer }
const { createServer } = restify
restify.createServer = (...options) => {
  const server = createServer(...options)
  const get = server.get.bind(server)
  server.get = (path, ...handlers) =>
    get(
      path,
      ...handlers.map(
        (it): Handler =>
          (request, response, next) =>
            void it(request, response, next),
      ),
    )
  return server
}
const ChannelEngine = require('eyevinn-channel-engine') as EngineClass

const { VOD_URL: vodUrl = '', CHANNELS: channels = '' } = process.env
const next = new Map<string, number>()
const assets = {
  async getNextVod({ playlistId }: { readonly playlistId: string }) {
    const at = next.get(playlistId) ?? 0
    next.set(playlistId, at + 1)
    return { id: `${playlistId}-${at}`, title: 'bench', uri: `${vodUrl}/${playlistId}/${at}/index.m3u8` }
  },
  handleError: (error: unknown) => console.error(error),
}
const profile = [{ bw: 3_128_000, codecs: 'avc1.64001f,mp4a.40.2', resolution: [1_280, 720] }]
const engine = new ChannelEngine(assets, {
  channelManager: {
    getChannels: () => Array.from({ length: Number(channels) }, (_, at) => ({ id: `${at}`, profile })),
  },
  averageSegmentDuration: 3_200,
})
engine.start()
engine.server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${engine.server.address().port}` })
})
