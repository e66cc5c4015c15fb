import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../architecture/source-files.ts'
import { markIfStale, printMeasuredCode } from '../figures/measured-code.ts'
import { describeCommit } from '../figures/write-figures.ts'

const PAGE = 'docs/proofs/mutation.md'

const HEAD = `# Mutation tests

Mistakes are put into the code, one at a time, and the tests must fail. Each section is one run and is updated by itself;
[tools/mutate](../../tools/mutate/README.md) describes how mutants are made and which tests are run for them.
`

export interface Section {
  readonly title: string
  /** Markdown. */
  readonly body: string
  readonly command: string
  readonly seconds: number
  readonly watches: readonly string[]
}

/** Writes one section of the page, and leaves the others as they are. */
export function writeSection({ title, body, command, seconds, watches }: Section): string {
  const path = join(projectRoot, PAGE)
  const text = `## ${title}

${body}

Run with \`${command}\` at commit ${describeCommit()}, in ${Math.round(seconds)} s.

${printMeasuredCode(watches)}
`
  const page = existsSync(path) ? readFileSync(path, 'utf8') : HEAD
  writeFileSync(path, markIfStale(replaceSection(page, title, text)))
  return PAGE
}

/** Sections stand in the order of their titles. */
export function replaceSection(page: string, title: string, text: string): string {
  const [head = '', ...sections] = page.split(/^(?=## )/m)
  const others = sections.filter((section) => !section.startsWith(`## ${title}\n`))
  const sorted = [...others, text].map((section) => section.trimEnd()).toSorted()
  return `${[head.trimEnd(), ...sorted].join('\n\n')}\n`
}

export function printMarkdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
