import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '@continuity/dev/project-root'
import { parse } from 'yaml'
import { benches } from '../bench/all.ts'

/** What actionlint does not see: that workflows do what is there, and no more than they may. */
interface Workflow {
  readonly permissions?: object
  readonly jobs: Readonly<Record<string, Job>>
}

interface Job {
  readonly uses?: string
  readonly 'timeout-minutes'?: number
  readonly strategy?: {
    readonly matrix: { readonly bench?: readonly string[]; readonly include?: readonly Job[] }
  }
  readonly script?: string
}

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> }
const workflowPaths = globSync('.github/workflows/*.yml', { cwd: projectRoot })
const workflows = workflowPaths.map((path) => ({ path, workflow: parse(read(path)) as Workflow }))
const jobs = workflows.flatMap(({ path, workflow }) =>
  Object.entries(workflow.jobs).map(([name, job]) => ({ name: `${path} ${name}`, job })),
)
const withScripts = [...workflowPaths, '.ci/run']

test('every script of npm that CI runs exists', () => {
  const named = withScripts.flatMap((path) => {
    const calls = read(path).matchAll(/\bnpm (?:run (?:--silent )?([a-z][\w:-]*)|(test)\b)/g)
    return [...calls].map(([, script, test]) => script ?? test!)
  })
  const inMatrix = jobs.flatMap(({ job }) => job.strategy?.matrix.include ?? []).map(({ script }) => script!)
  const used = new Set([...named, ...inMatrix])

  assert.deepEqual(
    [...used].filter((script) => !(script in scripts)),
    [],
  )
  for (const script of ['check', 'test', 'test:unit', 'test:db', 'test:e2e', 'test:all', 'bench', 'build'])
    assert.ok(used.has(script), `nothing runs ${script}`)
})

test('every bench runs at night', () => {
  const nightly = jobs.flatMap(({ job }) => job.strategy?.matrix.bench ?? [])
  assert.deepEqual(
    nightly,
    benches.map(({ name }) => name),
  )
})

test('every job has a limit, and no workflow has more than read access to begin with', () => {
  assert.ok(jobs.length >= 5)
  for (const { name, job } of jobs) {
    assert.ok(
      job.uses !== undefined || job['timeout-minutes'] !== undefined,
      `${name} has no timeout-minutes`,
    )
  }
  for (const { path, workflow } of workflows)
    assert.deepEqual(workflow.permissions, { contents: 'read' }, path)
})

test('actions are pinned by commit, with their version beside it, and ours exist', () => {
  const paths = [...workflowPaths, ...globSync('.github/actions/*/action.yml', { cwd: projectRoot })]
  const used = paths.flatMap((path) =>
    [...read(path).matchAll(/\buses: (.+)$/gm)].map(([, action]) => action!),
  )
  assert.ok(used.length >= 10)
  for (const action of used) {
    if (action.startsWith('./')) {
      const file = action.endsWith('.yml') ? action : join(action, 'action.yml')
      assert.ok(existsSync(join(projectRoot, file)), `${action} does not exist`)
    } else {
      assert.match(action, /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    }
  }
})

test('updates are looked for where there is something to update', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: readonly { readonly directory?: string; readonly directories?: readonly string[] }[]
  }
  const folders = updates.flatMap(({ directory, directories }) => directories ?? [directory!])
  assert.ok(folders.length >= 5)
  for (const folder of folders) {
    const found = globSync(`.${folder}/*{package.json,ontainerfile,ockerfile,.yml,.yaml}`, {
      cwd: projectRoot,
    })
    assert.ok(folder === '/' || found.length > 0, folder)
  }
})

test('forms of issues have what GitHub asks for', () => {
  const paths = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: projectRoot }).filter(
    (path) => !path.endsWith('config.yml'),
  )
  assert.ok(paths.length >= 2)
  for (const path of paths) {
    const form = parse(read(path)) as {
      name: string
      description: string
      body: readonly Record<string, unknown>[]
    }
    assert.ok(form.name !== '' && form.description !== '', path)
    const ids = form.body.map(({ id }) => id).filter((id) => id !== undefined)
    assert.equal(new Set(ids).size, ids.length, path)
    for (const { type, attributes } of form.body) {
      assert.match(String(type), /^(markdown|textarea|input|dropdown|checkboxes)$/, path)
      const { label, value } = attributes as { label?: string; value?: string }
      assert.ok((type === 'markdown' ? value : label) !== undefined, path)
    }
  }
})
