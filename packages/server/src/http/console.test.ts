import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type ConsoleFiles, readConsoleFiles, serveConsole } from './console.ts'
import { aServer } from './testing/a-server.ts'

const folder = await mkdtemp(join(tmpdir(), 'console-'))
after(() => rm(folder, { recursive: true }))
await mkdir(join(folder, 'assets'))
await writeFile(
  join(folder, 'index.html'),
  '<meta content="%PLAYOUT_BASE_URL%"><meta content="%MEDIA_BASE_URL%">',
)
await writeFile(join(folder, 'assets/app-1.js'), 'play()')
await writeFile(join(folder, 'assets/app-1.js.gz'), gzipSync('play()'))
await writeFile(join(folder, 'sources.sha256'), 'secret')

function serving(t: TestContext, files: ConsoleFiles | undefined, login?: string) {
  const { server } = aServer(t)
  serveConsole(server, {
    files,
    playoutBase: 'https://play.example/tv/"<',
    mediaBase: 'https://media.example/media/',
    ...(login === undefined ? {} : { login }),
  })
  return (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers })
}

const files = await readConsoleFiles(folder)

test('the page allows our own scripts and styles only, and the configured origins for media', async (t) => {
  const get = serving(t, files)
  const answer = await get('/console/on-air/some-channel')

  assert.equal(answer.statusCode, 200)
  assert.equal(
    answer.body,
    '<meta content="https://play.example/tv/&quot;&lt;"><meta content="https://media.example/media/">',
  )
  assert.equal(answer.headers['cache-control'], 'no-cache')
  const origins = "'self' https://play.example https://media.example"
  assert.deepEqual(String(answer.headers['content-security-policy']).split('; ').toSorted(), [
    "base-uri 'none'",
    `connect-src ${origins}`,
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    `img-src ${origins}`,
    `media-src ${origins} blob:`,
    "script-src 'self'",
    "style-src 'self'",
    "worker-src 'self'",
  ])
})

test('a file is cached for good, and is sent compressed to a client that accepts it', async (t) => {
  const get = serving(t, files)
  const plain = await get('/console/assets/app-1.js')
  const compressed = await get('/console/assets/app-1.js', { 'accept-encoding': 'br, gzip' })

  assert.equal(plain.body, 'play()')
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.match(String(plain.headers['cache-control']), /immutable/)
  assert.equal(compressed.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(compressed.rawPayload).toString(), 'play()')
})

test('a file of an earlier build is 404, and other files of the folder are not served', async (t) => {
  const get = serving(t, files)
  assert.equal((await get('/console/assets/app-0.js')).statusCode, 404)
  for (const path of ['sources.sha256', '../package.json', '%2e%2e/package.json', 'assets/..%2findex.html']) {
    const { body } = await get(`/console/${path}`)
    assert.ok(!body.includes('secret') && !body.includes('workspaces'), path)
  }
})

test('/ leads to the console, and to the reference where it was not built', async (t) => {
  const get = serving(t, files)
  const unbuilt = serving(t, await readConsoleFiles(join(folder, 'assets')))

  assert.equal((await get('/')).headers['location'], '/console/')
  assert.equal((await get('/console')).headers['location'], '/console/')
  assert.equal((await unbuilt('/')).headers['location'], '/docs')
  assert.equal((await unbuilt('/console/')).statusCode, 404)
})

test('a login that is given reaches people at this machine only, in a fragment', async (t) => {
  const login = JSON.stringify({ account_name: 'demo', email: 'a@b.example', password: 'ä long one' })
  const { server } = aServer(t)
  serveConsole(server, { files, playoutBase: '', mediaBase: '', login })
  const leadsTo = async (remoteAddress: string, host: string) => {
    const { headers } = await server.inject({ url: '/', remoteAddress, headers: { host } })
    return String(headers['location'])
  }

  const [path, given] = (await leadsTo('127.0.0.1', '127.0.0.1:8080')).split('#login=')

  assert.equal(path, '/console/')
  assert.equal(Buffer.from(given!, 'base64url').toString(), login)
  assert.match(await leadsTo('::1', 'localhost:8080'), /#login=/)
  // A name that somebody else has made resolve to this machine.
  assert.equal(await leadsTo('127.0.0.1', 'rebound.example:8080'), '/console/')
  assert.equal(await leadsTo('192.0.2.7', '127.0.0.1:8080'), '/console/')
  const get = serving(t, files, '')
  assert.equal((await get('/')).headers['location'], '/console/')
})
