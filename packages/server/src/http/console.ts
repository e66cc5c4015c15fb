import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { chooseEncoding } from './compress.ts'
import { RouteNotFound } from './errors.ts'
import { pathOf } from './request-log.ts'

interface ConsoleFile {
  readonly type: string
  readonly bytes: Buffer
  /** The same, compressed when the console was built. */
  readonly gzip: Buffer | undefined
}

/** The files of the built console, by their path in its folder. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

export interface ConsoleOptions {
  /** Undefined where the console was not built. */
  readonly files: ConsoleFiles | undefined
  /** The base addresses of channels and of media: the only other origins that the console connects to. */
  readonly playoutBase: string
  readonly mediaBase: string
  /** JSON of a login for the people at this machine; empty for none. */
  readonly login?: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const INDEX = 'index.html'
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Reads the files once; undefined if there are none. */
export async function readConsoleFiles(folder: string): Promise<ConsoleFiles | undefined> {
  const paths: string[] = await readdir(folder, { recursive: true }).catch(() => [])
  const files = new Map<string, ConsoleFile>()
  for (const path of paths) {
    const type = types[extname(path)]
    if (type === undefined) continue
    const gzip = paths.includes(`${path}.gz`) ? await readFile(join(folder, `${path}.gz`)) : undefined
    files.set(path, { type, bytes: await readFile(join(folder, path)), gzip })
  }
  return files.has(INDEX) ? files : undefined
}

/** Serves the console under `/console/`, to which `/` redirects. Returns its addresses. */
export function serveConsole(server: FastifyInstance, options: ConsoleOptions): string[] {
  const { files } = options
  server.get('/', (request, reply) => {
    // Without a console the reference is the page to begin with.
    if (files === undefined) return reply.redirect('/docs')
    if (options.login === undefined || options.login === '' || !isOfThisMachine(request))
      return reply.redirect('/console/')
    // A fragment is neither sent nor readable for pages of other origins.
    const login = Buffer.from(options.login).toString('base64url')
    return reply.header('cache-control', 'no-store').redirect(`/console/#login=${login}`)
  })
  if (files === undefined) return ['/']
  const page = files
    .get(INDEX)!
    .bytes.toString('utf8')
    .replace('%PLAYOUT_BASE_URL%', escapeAttribute(options.playoutBase))
    .replace('%MEDIA_BASE_URL%', escapeAttribute(options.mediaBase))
  const policy = policyOf(options)
  server.get('/console', (_request, reply) => reply.redirect('/console/'))
  server.get('/console/*', (request, reply) => {
    const path = pathOf(request.url).slice('/console/'.length)
    const file = files.get(path)
    if (file === undefined || path === INDEX) {
      // The console resolves its own addresses; a missing file is none of them.
      if (path.startsWith('assets/')) throw RouteNotFound(path.slice(0, 256))
      return reply
        .headers({
          'content-security-policy': policy,
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cache-control': 'no-cache',
        })
        .type(types['.html']!)
        .send(page)
    }
    // The names of files contain a hash of their content.
    reply.header('cache-control', IMMUTABLE).type(file.type)
    if (file.gzip === undefined) return reply.send(file.bytes)
    const isGzip = chooseEncoding(request.headers['accept-encoding'], ['gzip']) === 'gzip'
    return isGzip ? reply.header('content-encoding', 'gzip').send(file.gzip) : reply.send(file.bytes)
  })
  return ['/', '/console', '/console/*']
}

/** By the connection, and by the name in the request: a page whose name resolves to this machine is not of this machine. */
function isOfThisMachine({ ip, headers }: FastifyRequest): boolean {
  const isLocal = ip === '127.0.0.1' || ip === '::1' || ip === '::ffff:127.0.0.1'
  return isLocal && /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? '')
}

/**
 * Scripts and styles are files of the console, without exception. Pictures, playlists and segments come from playout nodes
 * and from the media store; a player attaches a media source as a blob.
 */
function policyOf({ playoutBase, mediaBase }: ConsoleOptions): string {
  const others = [playoutBase, mediaBase]
    .filter((base) => URL.canParse(base))
    .map((base) => new URL(base).origin)
  const origins = ["'self'", ...new Set(others)].join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    `connect-src ${origins}`,
    `img-src ${origins}`,
    `media-src ${origins} blob:`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
