import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../architecture/source-files.ts'
import type { Verdict } from './figures.ts'
import { printMeasuredCode } from './measured-code.ts'

export interface FiguresRecord {
  readonly file: string
  readonly title: string
  readonly text: string
  readonly command: string
  /** None where nothing is random. */
  readonly seed?: number
  readonly seconds: number
  readonly verdicts: readonly Verdict[]
  /** Folders and files whose code was measured, from the project's root. */
  readonly watches: readonly string[]
  /** Why a figure misses its target and whether the target remains, by the figure's name. */
  readonly limits?: Readonly<Record<string, string>> | undefined
  /** Further lines of Markdown, such as a profile. */
  readonly notes?: string | undefined
}

/** Writes the figures of a full-size run where everybody finds them: docs/proofs/. */
export function writeFigures(record: FiguresRecord): string {
  const rows = record.verdicts.map(({ name, figure, target, isMet }) => {
    const reason = record.limits?.[name] ?? 'the reason is not known yet'
    const verdict = isMet === undefined ? '' : isMet ? 'met' : `**not met**: ${reason}`
    return `| ${name} | ${figure} | ${target} | ${verdict} |`
  })
  const path = join('docs/proofs', `${record.file}.md`)
  const seed = record.seed === undefined ? '' : `, seed ${record.seed}`
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  writeFileSync(
    join(projectRoot, path),
    `# ${record.title}

${record.text}

| figure | measured | target | |
|---|---|---|---|
${rows.join('\n')}
${record.notes === undefined ? '' : `\n${record.notes}\n`}
Run with \`${record.command}\` at commit ${describeCommit()}${seed}, in ${Math.round(record.seconds)} s,
on ${cpus().length} cores, ${gigabytes} GB, Node ${process.versions.node}.

${printMeasuredCode(record.watches)}
`,
  )
  return path
}

/** The commit of the working tree, and whether it has changes beyond it. */
export function describeCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', ':!docs/proofs') !== ''
  return git('rev-parse', '--short=12', 'HEAD') + (isChanged ? ' with changes' : '')
}
