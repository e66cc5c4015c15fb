import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { projectRoot } from '@continuity/dev/project-root'
import { settings } from '@continuity/server/owner'
import { findMetrics } from '../architecture/operator-texts.ts'
import { readSourceFiles } from '../architecture/source-files.ts'
import { composeSettings } from './compose-settings.ts'
import { expressionsOf, metricsOf } from './promql.ts'

const deploy = join(projectRoot, 'deploy')
const read = (path: string) => readFileSync(join(deploy, path), 'utf8')
const processes = ['api', 'worker', 'playout', 'receiver'] as const

/** Not settings: the image of the container sets them for Node itself. */
const NODE_SETTINGS = ['NODE_ENV']

test('rules and dashboard name only metrics that the code has', () => {
  const known = findMetrics(readSourceFiles()).flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  )
  const dashboard = JSON.parse(read('grafana/continuity.json')) as {
    panels: { targets: { expr: string }[] }[]
  }
  const expressions = [
    ...expressionsOf(read('prometheus/rules.yaml')),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  const named = new Set(expressions.flatMap(metricsOf))

  assert.ok(expressions.length > 40 && named.size > 30, `${expressions.length} expressions`)
  assert.deepEqual(
    [...named].filter((name) => !known.includes(name)),
    [],
  )
})

test('an unknown metric in an expression is found', () => {
  assert.deepEqual(metricsOf('sum by (job) (rate(http_total{a="b"}[5m])) / max(of_all) > 1e9'), [
    'http_total',
    'of_all',
  ])
  assert.deepEqual(expressionsOf('    expr: a > 1\n    expr: >-\n      b\n      / c\n    for: 1m\n'), [
    'a > 1',
    '      b\n      / c\n',
  ])
})

test('every process gets settings that it has, and all that it requires', () => {
  const ofUnits = processes.map((process) => ({
    process,
    names: [...read(`systemd/${process}.env`).matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1]!),
  }))
  const ofCompose = composeSettings(read('compose/compose.yaml'))

  assert.deepEqual([...new Set(ofCompose.map(({ process }) => process))].toSorted(), processes.toSorted())
  for (const { process, names } of [...ofUnits, ...ofCompose]) {
    const list = Object.values(settings[process as (typeof processes)[number]])
    const unknown = names.filter((name) => !list.some((setting) => setting.name === name))
    const required = list.filter(({ fallback }) => fallback === undefined).map(({ name }) => name)
    assert.deepEqual(unknown, [], process)
    assert.deepEqual(
      required.filter((name) => !names.includes(name)),
      [],
      process,
    )
  }
})

test('the image is built from all packages with the Node of the project, and does not run as root', () => {
  const text = read('container/Containerfile')
  const version = readFileSync(join(projectRoot, '.nvmrc'), 'utf8').trim().replace(/^v/, '')
  const names = Object.values(settings).flatMap((list) => Object.values(list).map(({ name }) => name))
  const environment = /^ENV ((?:.*\\\n)*.*)$/m.exec(text)?.[1] ?? ''
  const assigned = [...environment.matchAll(/([A-Z_]+)=/g)].map((match) => match[1]!)

  assert.ok(text.includes(`node:${version}-`), `it is not Node ${version}`)
  for (const path of globSync('packages/*/package.json', { cwd: projectRoot })) {
    assert.ok(text.includes(`COPY ${path} `), path)
  }
  assert.ok(assigned.length > 3)
  assert.deepEqual(
    assigned.filter((name) => !names.includes(name) && !NODE_SETTINGS.includes(name)),
    [],
  )
  assert.match(text, /^USER [1-9]\d*:[1-9]\d*$/m)
  assert.match(read('compose/compose.yaml'), /&process[\s\S]+?read_only: true[\s\S]+?cap_drop: \[ALL\]/)
})

test('systemd accepts the units, and rates their exposure as low', async (t) => {
  const folder = await aFolder(t)
  for (const path of globSync('systemd/*.service', { cwd: deploy })) {
    // The paths of an installed system do not exist here.
    const text = read(path).replaceAll('/opt/continuity/node/bin/node', process.execPath)
    await writeFile(join(folder, basename(path)), text)
  }
  const units = globSync('*.service', { cwd: folder }).map((name) => join(folder, name))
  const verified = tryTool(t, 'systemd-analyze', ['verify', '--man=no', ...units])
  if (verified === undefined) return

  assert.equal(units.length, processes.length)
  assert.deepEqual(
    verified.output.split('\n').filter((line) => line.includes('continuity-')),
    [],
  )
  for (const unit of units) {
    // 0 is no exposure, 100 that of a service without any restriction.
    const rated = tryTool(t, 'systemd-analyze', ['security', '--offline=true', '--threshold=25', unit])
    assert.equal(rated?.status, 0, rated?.output.split('\n').slice(-3).join('\n'))
  }
})

test('nginx accepts the configuration with TLS', async (t) => {
  const folder = await aFolder(t)
  await mkdir(join(folder, 'tls'))
  const files = ['-keyout', join(folder, 'tls/privkey.pem'), '-out', join(folder, 'tls/fullchain.pem')]
  const subject = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=localhost']
  if (tryTool(t, 'openssl', ['req', '-x509', ...subject, ...files]) === undefined) return
  const environment = /^ +nginx:[\s\S]+?environment:\n((?: {6}.+\n)+)/m.exec(
    read('compose/compose.yaml'),
  )![1]!
  const values = Object.fromEntries(
    [...environment.matchAll(/^ +([A-Z_0-9]+): (.+)$/gm)].map(([, name, value]) => [name!, value!]),
  )
  const local = {
    ...values,
    ...Object.fromEntries(
      Object.keys(values).flatMap((name) =>
        /_(?:API|PLAYOUT)_\d$/.test(name) ? [[name, '127.0.0.1:9']] : [],
      ),
    ),
    CONTINUITY_MEDIA_CACHE: join(folder, 'media'),
    CONTINUITY_PLAYLIST_CACHE: join(folder, 'playlists'),
    CONTINUITY_VIEWER_LOG: join(folder, 'viewers.log'),
  }
  const site = read('nginx/continuity.conf.template')
  const filled = site.replaceAll(/^[^#\n].*$/gm, (line) =>
    line.replaceAll(/\$\{([A-Z_0-9]+)\}/g, (_, name: string) => {
      assert.ok(name in local, `compose.yaml does not set ${name}`)
      return local[name as keyof typeof local]
    }),
  )
  await writeFile(join(folder, 'continuity.conf'), filled)
  await writeFile(
    join(folder, 'tls.conf'),
    read('compose/nginx-tls.conf').replaceAll('/etc/nginx/tls', join(folder, 'tls')),
  )
  const main = `pid ${folder}/pid; events {} http { access_log off; include ${folder}/tls.conf; include ${folder}/continuity.conf; }`
  await writeFile(join(folder, 'nginx.conf'), main)

  const checked = tryTool(t, 'nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'])

  if (checked !== undefined) assert.equal(checked.status, 0, checked.output)
})

test('NATS accepts the configuration of a single server', async (t) => {
  const folder = await aFolder(t)
  const names = ['NAME', 'LISTEN', 'STORE', ...'OWNER API WORKER PLAYOUT_1 PLAYOUT_2 RECEIVER_1'.split(' ')]
  const environment = Object.fromEntries(
    names.map((name, at) => [at < 3 ? `NATS_${name}` : `NATS_PASSWORD_${name}`, 'p1']),
  )
  const env = { ...environment, NATS_LISTEN: '127.0.0.1:4222', NATS_STORE: folder }

  const checked = tryTool(t, 'nats-server', ['-t', '-c', join(deploy, 'nats/single.conf')], env)

  if (checked !== undefined) assert.equal(checked.status, 0, checked.output)
  const compose = read('compose/compose.yaml')
  for (const name of Object.keys(env)) assert.match(compose, new RegExp(`^ +${name}: `, 'm'))
})

test('Prometheus accepts the rules and the targets', (t) => {
  for (const args of [
    ['check', 'rules', join(deploy, 'prometheus/rules.yaml')],
    ['check', 'config', '--syntax-only', join(deploy, 'prometheus/scrape.yaml')],
  ]) {
    const checked = tryTool(t, 'promtool', args)

    if (checked !== undefined) assert.equal(checked.status, 0, checked.output)
  }
})

test('alerts fire when something is broken, and not otherwise', async (t) => {
  const folder = await aFolder(t)
  const cases = join(folder, 'cases.yaml')
  const rules = `rule_files: [${join(deploy, 'prometheus/rules.yaml')}]\n`
  await writeFile(cases, rules + readFileSync(join(import.meta.dirname, 'alert-cases.yaml'), 'utf8'))

  const tested = tryTool(t, 'promtool', ['test', 'rules', cases])

  if (tested !== undefined) assert.equal(tested.status, 0, tested.output)
})

test('secrets are made once, for all variables of the compose file', async (t) => {
  const folder = await aFolder(t)
  const made = await makeSecrets(t, folder)
  const again = await makeSecrets(t, folder)
  const variables = await readFile(join(folder, '.env'), 'utf8')

  assert.equal(made?.status, 0, made?.output)
  assert.match(again?.output ?? '', /exists already/)
  const used = [...read('compose/compose.yaml').matchAll(/\$\{([A-Z0-9_]+)\}/g)].map((match) => match[1]!)
  assert.deepEqual(
    [...new Set(used)].filter((name) => !new RegExp(`^${name}=.+$`, 'm').test(variables)),
    [],
  )
})

test('compose accepts the file', async (t) => {
  const folder = await aFolder(t)
  await makeSecrets(t, folder)
  const file = join(folder, 'compose.yaml')
  const [tool, ...first] = hasComposePlugin() ? ['docker', 'compose'] : ['docker-compose']
  const text = read('compose/compose.yaml')
  // Debian's docker-compose is older than the name of a project in its file.
  await writeFile(file, tool === 'docker' ? text : text.replace(/^name: .*$/m, ''))

  const checked = tryTool(t, tool, [...first, '--project-directory', folder, '-f', file, 'config'])

  if (checked === undefined) return
  assert.equal(checked.status, 0, checked.output)
  assert.doesNotMatch(checked.output, /variable is not set/)
  assert.match(checked.output, /continuity_service:p[0-9a-f]{48}@postgres/)
})

/** Newer than the `docker-compose` of Debian, and not packaged there. */
const hasComposePlugin = (): boolean => spawnSync('docker', ['compose', 'version']).status === 0

async function makeSecrets(t: TestContext, folder: string) {
  const script = join(folder, 'make-secrets.sh')
  // Only root may give files to the user of the containers.
  const text = await readFile(join(deploy, 'compose/make-secrets.sh'), 'utf8')
  await writeFile(script, text.replace(/^chown .*$/m, ''))
  await chmod(script, 0o755)
  return tryTool(t, script, ['continuity.example'])
}

async function aFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-deploy-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a tool of the system. Without it, the test is skipped with a message, since not every machine has all of them. */
function tryTool(t: TestContext, tool: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const path = `${process.env['PATH']}:/usr/sbin`
  const { status, error, stdout, stderr } = spawnSync(tool, args, {
    env: { ...env, PATH: path },
    encoding: 'utf8',
  })
  if (error !== undefined) {
    t.skip(`${tool} is not installed: the check was not made`)
    return undefined
  }
  return { status, output: `${stdout}${stderr}` }
}
