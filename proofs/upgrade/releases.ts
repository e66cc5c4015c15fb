import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from '@continuity/dev/project-root'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { checkOut, linkDependencies } from './check-out.ts'
import { findBreaking, findRelease, HISTORY } from './find-previous.ts'
import recorded from './previous-release.json' with { type: 'json' }

/** A version of the project, whose processes and commands can be run. */
export interface Release {
  readonly name: string
  /** Undefined for this one: a run of tests has bundles of its processes. */
  readonly project: string | undefined
}

export interface PreviousRelease {
  readonly commit: string
  readonly version: string
  /** The files of the migrations that it does not know. */
  readonly added: readonly string[]
  /** Why it cannot run on the schema of this release; undefined where it can. */
  readonly breaking: string | undefined
}

export const thisRelease: Release = { name: 'this release', project: undefined }

const history = (): string => process.env[HISTORY] ?? projectRoot

/** Throws where the history is missing: an upgrade that is not tried must not look like one that works. */
export async function requirePreviousRelease(): Promise<PreviousRelease> {
  const { version, commit } = recorded
  const previous = await findRelease(projectRoot, commit, history())
  if (previous.kind === 'none') throw new Error(`version ${version} is not available: ${previous.why}`)
  const { added } = previous
  return { commit, version, added, breaking: await findBreaking(projectRoot, added) }
}

/** Its sources in a folder of their own, with the dependencies of this checkout. */
export async function openRelease(
  opened: AsyncDisposableStack,
  { commit, version }: Pick<PreviousRelease, 'commit' | 'version'>,
): Promise<Release> {
  const project = await temporaryFolder(opened)
  await checkOut(history(), commit, project)
  await linkDependencies(projectRoot, project)
  return { name: `version ${version}`, project }
}

export interface CommandResult {
  readonly code: number
  readonly output: string
}

/** Runs lines of a shell, in which `continuity` is the command of a release. */
export function runShell(
  { project = projectRoot }: Release,
  lines: string,
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const command = `${process.execPath} ${join(project, 'packages/cli/src/continuity.ts')}`
  const script = lines.replaceAll(/^continuity(?= )/gm, command)
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-c', script],
      { env: { ...process.env, ...env }, timeout: 120_000 },
      (error, stdout, stderr) =>
        resolve({
          code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1,
          output: stdout + stderr,
        }),
    )
  })
}
