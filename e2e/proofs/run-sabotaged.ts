import { spawn } from 'node:child_process'
import { projectRoot } from '../../tools/architecture/source-files.ts'
import { compileCache } from '../../tools/dev-stack/compile-cache.ts'
import { MADE_CLUSTER } from '../../tools/dev-stack/postgres-cluster.ts'
import { NOT_MEASURED, type Verdict } from '../../tools/figures/figures.ts'
import { HISTORY, MIGRATIONS } from '../../tools/previous-release/find-previous.ts'
import { copyProject } from '../../tools/source-changes/project-copy.ts'
import type { Proof, Sabotage } from './proof.ts'

export interface SabotagedRun {
  /** Everything that the run printed. */
  readonly output: string
  /** Undefined if the run failed before its figures. */
  readonly verdicts: readonly Verdict[] | undefined
  /** Figures that the sabotage names and that did not miss their targets all the same. Empty: the proof detected it. */
  readonly unmissed: readonly string[]
}

/** Runs a proof in a copy of the project with its sabotage. */
export async function runSabotaged(
  { name, sabotage }: Proof,
  { seed, isSmall, echo }: { seed: number; isSmall: boolean; echo?: (chunk: string) => void },
): Promise<SabotagedRun> {
  await using copy = await copyProject()
  for (const change of sabotage.changes) await copy.apply(change)
  const args = [
    'e2e/prove.ts',
    name,
    '--seed',
    `${seed}`,
    '--json',
    '--no-page',
    ...(isSmall ? ['--small'] : []),
  ]
  const child = spawn(process.execPath, args, {
    cwd: copy.folder,
    env: {
      ...process.env,
      ...compileCache(copy.folder),
      [HISTORY]: projectRoot,
      ...(changesSchema(sabotage) && WITHOUT_CLUSTER),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    echo?.(chunk.toString())
  })
  await new Promise((resolve) => child.on('close', resolve))
  const verdicts = readVerdicts(printed)
  const unmissed = sabotage.missed.filter((figure) => !isMissed(verdicts ?? [], figure))
  return { output: `${output}${printed}`, verdicts, unmissed }
}

/** Without a value, which JSON has as null for NaN, nothing was detected: the run may have ended early. */
export function isMissed(verdicts: readonly Verdict[], name: string): boolean {
  const it = verdicts.find((verdict) => verdict.name === name)
  return it?.isMet === false && it.figure !== null && it.figure !== NOT_MEASURED
}

/** The cluster of a run of tests has been migrated with our migrations. */
const changesSchema = ({ changes }: Sabotage) => changes.some(({ file }) => file.startsWith(`${MIGRATIONS}/`))

const WITHOUT_CLUSTER = { [MADE_CLUSTER]: undefined }

/** The last line in JSON: if a proof uses helpers of tests, node:test prints a summary after it. */
export function readVerdicts(printed: string): Verdict[] | undefined {
  const line = printed.split('\n').findLast((it) => it.startsWith('{"name":'))
  return line === undefined ? undefined : (JSON.parse(line) as { verdicts: Verdict[] }).verdicts
}
