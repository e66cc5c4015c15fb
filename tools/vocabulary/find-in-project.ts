import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Allowed, allowed } from './allowed.ts'
import { type Finding, findBannedWords } from './find-banned-words.ts'

const root = resolve(import.meta.dirname, '../..')
const READ = /\.(?:ts|tsx|mjs|cjs|js|md|sql|sh|yml|yaml|conf|html|css|lua|json)$/
const NOT_READ = /(?:^|\/)(?:package-lock\.json|fixtures\/.*\.json)$/

/** Every banned word in the files of the project, their names included. */
export function findInProject(
  paths: readonly string[] = [],
  exceptions: readonly Allowed[] = allowed,
): (Finding & { readonly path: string })[] {
  const list = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  )
  return list
    .split('\n')
    .filter((path) => READ.test(path) && !NOT_READ.test(path) && existsSync(join(root, path)))
    .flatMap((path) =>
      [...findInName(path), ...findBannedWords(readFileSync(join(root, path), 'utf8'))]
        .filter(({ word }) => !isAllowed(exceptions, path, word))
        .map((finding) => ({ path, ...finding })),
    )
}

const findInName = (path: string) => findBannedWords(path).map((finding) => ({ ...finding, line: 0 }))

function isAllowed(exceptions: readonly Allowed[], path: string, word: string): boolean {
  return exceptions.some(
    (entry) =>
      (entry.path.endsWith('/') ? path.startsWith(entry.path) : path === entry.path) &&
      (entry.words === undefined || entry.words.includes(word)),
  )
}
