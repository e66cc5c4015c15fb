import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '@continuity/dev/project-root'
import { completeLock } from '../complete-lock.ts'
import { findViolations } from './check-dependencies.ts'
import { generatedFiles } from './generated-files.ts'
import { allowedLicences, allowedTools, findLicences } from './licences.ts'
import { allowedDependencies, moduleOf } from './modules.ts'
import { findImpurities } from './purity.ts'
import { findImports, readSourceFiles, type SourceFile } from './source-files.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const aFile = (path: string, text: string, imports: readonly string[] = []): SourceFile => ({
  path,
  text,
  imports,
})

test('every dependency between modules is allowed, and there is no cycle of files or folders', () => {
  assert.deepEqual(findViolations(readSourceFiles()), [])
})

test('a forbidden dependency of every kind is found', () => {
  const server = 'packages/server/src'
  const broken: readonly (readonly [SourceFile, RegExp])[] = [
    [aFile('packages/core/src/a.ts', '', ['@continuity/contract']), /core may not depend on contract/],
    [aFile(`${server}/platform/a.ts`, '', [`${server}/http/b.ts`]), /platform may not depend on http/],
    [
      aFile(`${server}/modules/auth/a.ts`, '', ['@continuity/contract']),
      /modules\/auth may not depend on contract/,
    ],
    [aFile(`${server}/modules/auth/a.ts`, '', [`${server}/modules/catalog/index.ts`]), /may not depend/],
    [aFile(`${server}/app/a.ts`, '', [`${server}/modules/auth/store.ts`]), /an internal file of/],
    [aFile('packages/client/src/a.ts', '', ['packages/contract/src/endpoint.ts']), /by its path/],
    [aFile('packages/client/src/a.ts', '', ['undici']), /may not use undici/],
    [aFile('packages/contract/src/a.ts', '', ['node:fs']), /may not use node:fs/],
    [aFile(`${server}/http/a.ts`, '', ['fast-check']), /may not use fast-check/],
    [aFile(`${server}/app/a.ts`, '', [`${server}/app/a.ts`]), /import cycle/],
  ]
  for (const [file, reason] of broken) {
    assert.match(findViolations([file]).join('\n'), reason)
  }
  assert.deepEqual(
    findViolations([aFile(`${server}/modules/auth/routes.ts`, '', ['@continuity/contract'])]),
    [],
  )
})

test('folders that import each other are found, also where no two files do', () => {
  const core = 'packages/core/src'
  const tree = [
    aFile(`${core}/timeline/span.ts`, '', [`${core}/media/media.ts`]),
    aFile(`${core}/media/media.ts`, ''),
    aFile(`${core}/media/ladder.ts`, '', [`${core}/hls/print.ts`]),
    aFile(`${core}/hls/print.ts`, '', [`${core}/timeline/find.ts`]),
    aFile(`${core}/timeline/find.ts`, ''),
  ]
  assert.match(
    findViolations(tree).join('\n'),
    /^folder cycle: \S+timeline -> \S+media -> \S+hls -> \S+timeline \(\S+span.ts imports \S+media.ts; [^\n]+$/,
  )
  assert.deepEqual(findViolations(tree.filter(({ path }) => !path.endsWith('print.ts'))), [])
})

test('imports are found however they are written', () => {
  const text = `
    import a from './a.ts'
    import {
      b,
    } from './b.ts'
    import './c.ts'
    export * from './d.ts'
    const e = await import('./e.ts')`

  assert.deepEqual(findImports(text), ['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts'])
})

test('every module has dependency rules, a README, and its routes in the API', () => {
  const files = readSourceFiles()
  const routeFiles = files.find(({ path }) => path.endsWith('/app/build-handlers.ts'))?.imports ?? []
  const modules = new Set(
    files.map(({ path }) => moduleOf(path)).filter((module) => module.startsWith('modules/')),
  )

  for (const module of modules) {
    const folder = `packages/server/src/${module}`
    assert.ok(module in allowedDependencies, `${module} has no line in tools/architecture/modules.ts`)
    assert.ok(existsSync(join(projectRoot, folder, 'README.md')), `${folder} has no README.md`)
    const routes = `${folder}/routes.ts`
    const hasRoutes = files.some(({ path }) => path === routes)
    assert.ok(!hasRoutes || routeFiles.includes(routes), `app/build-handlers.ts does not import ${routes}`)
  }
})

test('test helpers of http, platform and the modules do not import from app', () => {
  const helpers = globSync('packages/server/src/{http,platform,modules}/**/testing/*.ts', {
    cwd: projectRoot,
  })
  assert.ok(helpers.length > 20)
  const upwards = helpers.filter((path) =>
    findImports(read(path)).some((target) => /(?:\.\.\/)+app\//.test(target)),
  )
  assert.deepEqual(upwards, [])
})

test('core does no input or output, reads no clock and uses no randomness', () => {
  assert.deepEqual(findImpurities(readSourceFiles()), [])
})

test('an impurity of every kind is found', () => {
  for (const code of [
    'Date.now()',
    'new Date()',
    'Math.random()',
    'setTimeout(f)',
    'await x',
    'process.env',
    'fetch(u)',
  ]) {
    assert.equal(findImpurities([aFile('packages/core/src/a.ts', `const a = ${code}`)]).length, 1, code)
  }
  assert.deepEqual(findImpurities([aFile('packages/core/src/a.ts', '// Date.now() is not read here')]), [])
})

test('generated files are fresh', () => {
  for (const { path, content } of generatedFiles()) {
    assert.ok(read(path) === content, `${path} is stale: run npm run generate`)
  }
})

test('every dependency has a licence on the list', () => {
  const unlisted = findLicences().filter(
    ({ name, licence }) => !allowedLicences.includes(licence) && allowedTools[licence]?.test(name) !== true,
  )
  assert.deepEqual(unlisted, [])
})

test('no dependency is deprecated', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Readonly<Record<string, { readonly deprecated?: string }>>
  }
  const deprecated = Object.entries(packages).filter(([, it]) => it.deprecated !== undefined)
  assert.ok(Object.keys(packages).length > 100)
  assert.deepEqual(deprecated, [])
})

test('every version is exact and the lock file names no registry', () => {
  for (const path of ['package.json', ...globSync('packages/*/package.json', { cwd: projectRoot })]) {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(path)) as Record<
      string,
      Record<string, string> | undefined
    >
    for (const [name, version] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    })) {
      assert.match(version, /^\d+\.\d+\.\d+$/, `${path}: ${name}`)
    }
  }
  const addresses = read('package-lock.json').match(/"resolved": "(?!packages\/)[^"]*"/g)
  assert.equal(addresses, null)
})

test('the lock file holds the binaries of every platform', () => {
  const lock = JSON.parse(read('package-lock.json')) as Parameters<typeof completeLock>[0]
  assert.deepEqual(completeLock(lock), [], 'run node tools/complete-lock.ts')
})

test('no test is singled out or skipped without a reason', () => {
  const paths = globSync('{packages,tools,e2e,bench}/**/*.test.ts', { cwd: projectRoot })
  const single = /\.only\(|\bonly: true|test\.todo|test\.skip\(/
  const found = paths.filter(
    (path) =>
      !path.includes('node_modules') && !path.endsWith('architecture.test.ts') && single.test(read(path)),
  )
  assert.deepEqual(found, [])
})
