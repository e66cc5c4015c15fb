import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGit, type Git } from './git.ts'

export const MIGRATIONS = 'packages/server/migrations'

/** A folder with the history of this project, for a copy of it that has none. */
export const HISTORY = 'TEST_HISTORY'

export type Previous =
  | {
      readonly kind: 'found'
      readonly commit: string
      /** Its tag, or the beginning of the commit. */
      readonly name: string
      /** The migrations that it does not know, by their files. */
      readonly added: readonly string[]
    }
  | { readonly kind: 'none'; readonly why: string }

/**
 * The release that may still be running while the schema of this tree is
 * already there: the newest tag that lacks one of our migrations. Without tags
 * every commit is a release.
 */
export async function findPrevious(root: string): Promise<Previous> {
  const git = createGit(root)
  const missing = await findMissingHistory(root, git)
  if (missing !== undefined) return none(missing)
  for (const revision of await releasesOf(git)) {
    const { known, added } = await compareMigrations(root, git, revision)
    if (added.length === 0) continue
    if (known.size === 0) return none('no release before this one has a schema')
    return { kind: 'found', ...(await identify(git, revision)), added }
  }
  return none('no release lacks a migration of this one')
}

/** One release by its commit, compared with the migrations of this tree. */
export async function findRelease(root: string, commit: string, history = root): Promise<Previous> {
  const git = createGit(history)
  const missing = await findMissingHistory(history, git)
  if (missing !== undefined) return none(missing)
  if ((await git.find('merge-base', '--is-ancestor', commit, 'HEAD')) === undefined)
    return none(`${commit} is not in the history of this commit`)
  const { added } = await compareMigrations(root, git, commit)
  return { kind: 'found', ...(await identify(git, commit)), added }
}

/** Why earlier commits cannot be read; undefined where they can. */
async function findMissingHistory(root: string, git: Git): Promise<string | undefined> {
  if (!existsSync(join(root, '.git'))) return 'there is no history here'
  if ((await git.find('status', '-s', '.git')) === undefined) return 'git cannot read the history'
  if ((await git.find('rev-parse', '--verify', 'HEAD')) === undefined) return 'nothing is committed yet'
  if ((await git.read('rev-parse', '--is-shallow-repository')) === 'true')
    return 'only a part of the history is here: "git fetch --unshallow" brings the rest'
  return undefined
}

async function compareMigrations(root: string, git: Git, revision: string) {
  const files = (await readdir(join(root, MIGRATIONS))).filter((file) => file.endsWith('.sql')).toSorted()
  const known = await migrationsAt(git, revision)
  return { known, added: files.filter((file) => !known.has(file)) }
}

const none = (why: string) => ({ kind: 'none', why }) as const

/** Why these migrations break a release, from their own comments; undefined where they do not. */
export async function findBreaking(root: string, files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const why = /^-- breaking: (.+)$/m.exec(await readFile(join(root, MIGRATIONS, file), 'utf8'))?.[1]
    if (why !== undefined) return `${file}: ${why}`
  }
  return undefined
}

/** Tags, the newest first; or, as there are none, the only commits at which an answer can change. */
async function releasesOf(git: Git): Promise<string[]> {
  const tags = await git.read('tag', '--merged', 'HEAD', '--sort=-creatordate')
  if (tags !== '') return tags.split('\n')
  const adding = await git.read('log', '--diff-filter=A', '--format=%h', '--', MIGRATIONS)
  const before = adding.split('\n').map((commit) => `${commit}^`)
  return adding === '' ? ['HEAD'] : ['HEAD', ...before]
}

async function identify(git: Git, revision: string): Promise<{ commit: string; name: string }> {
  const commit = await git.read('rev-parse', `${revision}^{commit}`)
  const tag = await git.find('describe', '--tags', '--exact-match', commit)
  return { commit, name: tag ?? commit.slice(0, 12) }
}

async function migrationsAt(git: Git, commit: string): Promise<ReadonlySet<string>> {
  const listed = (await git.find('ls-tree', '--name-only', `${commit}:${MIGRATIONS}`)) ?? ''
  return new Set(listed.split('\n').filter((file) => file.endsWith('.sql')))
}
