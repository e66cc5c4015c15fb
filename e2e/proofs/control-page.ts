import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../tools/architecture/source-files.ts'
import { markIfStale, printMeasuredCode } from '../../tools/figures/measured-code.ts'
import { describeCommit } from '../../tools/figures/write-figures.ts'
import type { Proof } from './proof.ts'

const CONTROL_PAGE = 'docs/proofs/controls.md'

const HEAD = `# Proofs that fail on an injected fault

Each proof runs at its small size in a copy of the project with an injected fault. The figures named here must miss their
targets. Results are those of the code below: \`npm run prove -- controls\` runs the controls whose code has changed since,
with \`--all\` every one. CI runs up to six whose code has changed, and at least two.

| proof | injected fault | figures that must miss | |
|---|---|---|---|
`

export const NOT_DETECTED = '**not detected**'

/** A control as the page has it: how it ended, and the code with which it detected its fault. */
interface ControlRun {
  readonly result: string
  readonly code: string | undefined
}

export function readControlPage(): string {
  const path = join(projectRoot, CONTROL_PAGE)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Whether the proof detected its fault with exactly the code of today. */
export function isDetected(page: string, it: Proof): boolean {
  return findRun(page, it)?.code === codeOf(it)
}

/**
 * Call before a control runs; the function that it returns puts the result on the page and leaves the others as they are.
 * False if the code has changed meanwhile: the control ran with what was there before.
 */
export function beginControl(
  proofs: readonly Proof[],
  it: Proof,
  seed: number,
): (hasDetected: boolean) => boolean {
  const [code, commit] = [codeOf(it), describeCommit()]
  return (hasDetected) => {
    if (codeOf(it) !== code) return false
    const result = `${hasDetected ? 'detected' : NOT_DETECTED} at commit ${commit}, seed ${seed}`
    const run = { result, code: hasDetected ? code : undefined }
    writeFileSync(join(projectRoot, CONTROL_PAGE), updatePage(readControlPage(), proofs, it, run))
    return true
  }
}

/** The page with another run of one control. Controls of proofs that are gone disappear from it. */
export function updatePage(page: string, proofs: readonly Proof[], changed: Proof, run: ControlRun): string {
  const runs = proofs
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((it) => ({ it, run: it.name === changed.name ? run : findRun(page, it) }))
  const rows = runs.map(({ it, run: known }) => `${beginningOf(it)}${known?.result ?? 'not run yet'} |`)
  const codes = runs.flatMap(({ run: known }) => known?.code ?? [])
  return markIfStale(`${HEAD}${rows.join('\n')}\n\n${codes.join('\n\n')}\n`)
}

/** Of its row. A result counts for this fault and these figures. */
function beginningOf({ name, sabotage: { title, missed } }: Proof): string {
  return `| \`${name}\` | ${title} | ${missed.map((figure) => `\`${figure}\``).join(', ')} | `
}

function findRun(page: string, it: Proof): ControlRun | undefined {
  const lines = page.split('\n')
  const row = lines.find((line) => line.startsWith(beginningOf(it)))
  if (row === undefined) return undefined
  const result = row.slice(beginningOf(it).length).replace(/ \|$/, '')
  return { result, code: lines.find((line) => line.startsWith(`Measured code of ${it.name}: `)) }
}

/** What it watches, and what its fault changes. */
function codeOf({ name, watches, sabotage }: Proof): string {
  const isWatched = (file: string) => watches.some((path) => file === path || file.startsWith(`${path}/`))
  const others = sabotage.changes.map(({ file }) => file).filter((file) => !isWatched(file))
  return printMeasuredCode([...watches, ...new Set(others)]).replace(
    'Measured code:',
    `Measured code of ${name}:`,
  )
}
