import assert from 'node:assert/strict'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { compileCache } from '@continuity/dev/compile-cache'
import { removeHome } from '@continuity/dev/remove-home'
import { startIn } from '../start/running-start.ts'
import { type Chapter, readChapter } from './guide.ts'
import { copyProject, type ProjectCopy } from './project-copy.ts'

test('following CONTRIBUTING literally gives an endpoint and a table that work and are tested', async (t) => {
  const project = await copyProject()
  t.after(() => removeHome(project.folder))
  const [endpoint, table] = [await readChapter('Add an endpoint'), await readChapter('Add a table')]

  await addEndpoint(project, endpoint)
  await addTable(project, table)
  await project.run('node tools/generate.ts && node tools/dump-schema.ts')
  await project.run(`biome check --write ${project.touched().join(' ')}`)
  await project.run('tsc -p . --singleThreaded && node tools/check-dependencies.ts')
  const tests = [endpoint, table].map((chapter) => chapter.quoted(/npm test -- ([\s\S]+?)```/).trim())
  // It takes as long as all others together, and the project's own run of it notices a row that is missing.
  const named = tests.join(' ').replaceAll('\\\n', ' ').replace('e2e/access/access.test.ts', '')
  const output = await project.run(`node tools/test/run.ts ${named}`)
  const answer = await tryWithCurl(project, endpoint)

  // By the file or by the test, as the runner prints it.
  assert.match(output, /✔ (?:\S+\/time\/routes\.test\.ts|the time is that of the request)/)
  assert.match(output, /✔ (?:\S+\/notes\/store\.db\.test\.ts|the notes of an account are visible)/)
  assert.match(output, /^ℹ fail 0$/m)
  assert.match(answer, /^HTTP\/1\.1 200 OK[\s\S]*"now_ms":\d+\}$/)
})

async function addEndpoint({ write, edit }: ProjectCopy, chapter: Chapter): Promise<void> {
  const [declaration, listLine, routes, arrow, routesTest] = chapter.blocks('ts')
  const [accessLine] = chapter.blocks('text')
  const module = 'packages/server/src/modules/time'
  const contractImport = chapter.quoted(/`(import \* as ourTime [^`]+)`/)
  const handlersImport = chapter.quoted(/`(import \{ timeRoutes \} [^`]+)`/)
  const accessLevelLine = chapter.quoted(/here `(getTime: [^`]+)`/)
  const handlersLine = chapter.quoted(/a line `(\.\.\.timeRoutes[^`]+)`/)

  await write('packages/contract/src/ours/time.ts', declaration)
  await edit('packages/contract/src/operations.ts', /^import \* as ourOperations/m, `${contractImport}\n$&`)
  await edit('packages/contract/src/operations.ts', /^ {2}ourOperations,$/m, '$&\n  ourTime,')
  await edit('e2e/api/interface-list.ts', /^export const ourOperations.*\[$/m, `$&\n${listLine}`)
  await edit('e2e/access/access-table.ts', /^listBrands .*\n/m, `$&${accessLine}`)
  await edit(
    'e2e/access/other-account-table.ts',
    /^export const otherAccountTable.*\n/m,
    `$&  ${accessLevelLine}\n`,
  )
  await write(`${module}/routes.ts`, routes)
  await write(`${module}/README.md`, '# time\n')
  await edit('tools/architecture/modules.ts', /^ {2}'modules\/auth'/m, `${arrow}$&`)
  await edit('packages/server/src/app/build-handlers.ts', /^import/m, `${handlersImport}\n$&`)
  await edit('packages/server/src/app/build-handlers.ts', /^ {2}return \{\n/m, `$&    ${handlersLine}\n`)
  await write(`${module}/routes.test.ts`, routesTest)
}

async function addTable({ folder, write, edit }: ProjectCopy, chapter: Chapter): Promise<void> {
  const [migration] = chapter.blocks('sql')
  const [store, storeTest] = chapter.blocks('ts')
  const module = 'packages/server/src/modules/notes'
  const migrations = 'packages/server/migrations'
  const file = chapter.quoted(/`packages\/server\/migrations\/(NNNN-\S+)`/)
  const number = (await readdir(join(folder, migrations))).length + 1
  const lists = 'tools/architecture/schema-lists.ts'
  const privilege = chapter.quoted(/`('public\.notes'[^`]+)`/)
  // String.replace needs every dollar sign doubled.
  const storeLine = chapter.quoted(/``(notes: \[[^\]]+\],)``/).replaceAll('$', '$$$$')
  const arrow = chapter.quoted(/`('modules\/notes'[^`]+)`/)

  await write(`${migrations}/${file.replace('NNNN', String(number).padStart(4, '0'))}`, migration)
  await write(`${module}/store.ts`, store)
  await write(`${module}/README.md`, '# notes\n')
  await edit(lists, /^export const servicePrivileges.*\n/m, `$&  ${privilege}\n`)
  await edit(lists, /^export const tableStores.*\n/m, `$&  ${storeLine}\n`)
  await edit('tools/architecture/modules.ts', /^ {2}'modules\/auth'/m, `  ${arrow}\n$&`)
  await write(`${module}/store.db.test.ts`, storeTest)
}

/** Starts a system in the copy, and sends the requests of CONTRIBUTING. */
async function tryWithCurl({ folder, run }: ProjectCopy, chapter: Chapter): Promise<string> {
  const [commands] = chapter.blocks('bash')
  const home = join(folder, '.continuity')
  await mkdir(home)
  for (const path of [folder, home]) await chmod(path, 0o711)
  const command = [process.execPath, join(folder, 'tools/start/start.ts')]
  const running = startIn(home, { command, env: compileCache(folder) })
  try {
    const { base_url: baseUrl, password } = await running.ready()
    const values = { BASE: baseUrl, PASSWORD: password }
    return await run(
      commands!.replaceAll(
        /^(BASE|PASSWORD)=.*$/gm,
        (_, name: keyof typeof values) => `${name}='${values[name]}'`,
      ),
    )
  } finally {
    await running.end()
  }
}
