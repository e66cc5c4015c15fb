import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../tools/architecture/source-files.ts'
import { markIfStale, printMeasuredCode } from '../../tools/figures/measured-code.ts'
import { describeCommit } from '../../tools/figures/write-figures.ts'
import type { Proof } from './proof.ts'

export const CONTROL_PAGE = 'docs/proofs/controls.md'

const HEAD = `# Proofs that fail on an injected fault

Each proof runs at its small size in a copy of the project with an injected fault, and must miss the figures named here.
That holds for the code below: \`npm run prove -- controls\` runs the controls whose code has changed since, with \`--all\`
every one. CI runs up to six whose code has changed.

| proof | injected fault | must be missed | |
|---|---|---|---|
`

/** A control as the page has it: how it ended, and the code that it ran with unless it did not notice its fault. */
interface ControlRun {
  readonly result: string
  readonly code: string | undefined
}

export function readControlPage(): string {
  const path = join(projectRoot, CONTROL_PAGE)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Whether the proof noticed its fault with exactly the code of today. */
export function isNoticed(page: string, it: Proof): boolean {
  return findRun(page, it)?.code === codeOf(it)
}

/** Records how a control ended, and leaves the others as they are. */
export function recordControl(
  proofs: readonly Proof[],
  it: Proof,
  { hasNoticed, seed }: { hasNoticed: boolean; seed: number },
): void {
  const result = `${hasNoticed ? 'noticed' : '**not noticed**'} at commit ${describeCommit()}, seed ${seed}`
  const run = { result, code: hasNoticed ? codeOf(it) : undefined }
  writeFileSync(join(projectRoot, CONTROL_PAGE), updatePage(readControlPage(), proofs, it, run))
}

/** The page with another run of one control. Controls of proofs that are gone disappear from it. */
export function updatePage(page: string, proofs: readonly Proof[], changed: Proof, run: ControlRun): string {
  const runs = proofs
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((it) => ({ it, run: it.name === changed.name ? run : findRun(page, it) }))
  const rows = runs.map(({ it: { name, sabotage }, run: known }) => {
    const missed = sabotage.missed.map((figure) => `\`${figure}\``).join(', ')
    return `| \`${name}\` | ${sabotage.title} | ${missed} | ${known?.result ?? 'not run yet'} |`
  })
  const codes = runs.flatMap(({ run: known }) => known?.code ?? [])
  return markIfStale(`${HEAD}${rows.join('\n')}\n\n${codes.join('\n\n')}\n`)
}

function findRun(page: string, { name }: Proof): ControlRun | undefined {
  const lines = page.split('\n')
  const row = lines.find((line) => line.startsWith(`| \`${name}\` |`))
  if (row === undefined) return undefined
  const result = row.split(' | ').at(-1)!.replace(/ \|$/, '')
  return { result, code: lines.find((line) => line.startsWith(`Measured code of ${name}: `)) }
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
