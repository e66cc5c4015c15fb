import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Verdict } from '@continuity/dev/figures'
import { projectRoot } from '@continuity/dev/project-root'

/** The last full-size run of a proof or a bench: dated, and valid for the code of its commit. */
export interface Result {
  readonly title: string
  /** What is promised, and how it is tested. */
  readonly promise: string
  readonly command: string
  readonly commit: string
  /** YYYY-MM-DD */
  readonly date: string
  readonly machine: string
  readonly seconds: number
  readonly figures: Readonly<Record<string, ResultFigure>>
}

interface ResultFigure {
  readonly figure: number | string | null
  readonly target?: string
  readonly isMet?: boolean
  /** Why the target is missed. */
  readonly limit?: string
}

export interface Run {
  readonly title: string
  readonly promise: string
  readonly command: string
  readonly seconds: number
  readonly verdicts: readonly Verdict[]
  readonly limits?: Readonly<Record<string, string>> | undefined
}

const PATH = join(projectRoot, 'proofs/results.json')

export function readResults(): Readonly<Record<string, Result>> {
  return JSON.parse(readFileSync(PATH, 'utf8')) as Record<string, Result>
}

/** Replaces the result of one proof or bench; `npm run generate` prints docs/proofs.md from all of them. */
export function writeResult(
  name: string,
  { title, promise, command, seconds, verdicts, limits = {} }: Run,
): void {
  const figures = Object.fromEntries(
    verdicts.map(({ name: figure, figure: value, target, isMet }): [string, ResultFigure] => [
      figure,
      {
        figure: value,
        ...(isMet !== undefined && { target, isMet }),
        ...(isMet === false && { limit: limits[figure] ?? 'the reason is not known yet' }),
      },
    ]),
  )
  const result: Result = {
    title,
    promise,
    command,
    commit:
      git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' with changes'),
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`,
    seconds: Math.round(seconds),
    figures,
  }
  writeFileSync(PATH, printJson({ ...readResults(), [name]: result }))
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim()

/** A line for each figure. */
function printJson(results: Readonly<Record<string, Result>>): string {
  const entries = Object.entries(results).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const printed = entries.map(([name, { figures, ...rest }]) => {
    const head = Object.entries(rest).map(([key, value]) => `    ${quote(key)}: ${JSON.stringify(value)},\n`)
    const lines = Object.entries(figures).map(([figure, it]) => {
      const fields = Object.entries(it).map(([key, value]) => `${quote(key)}: ${JSON.stringify(value)}`)
      return `      ${quote(figure)}: { ${fields.join(', ')} }`
    })
    return `  ${quote(name)}: {\n${head.join('')}    "figures": {\n${lines.join(',\n')}\n    }\n  }`
  })
  return `{\n${printed.join(',\n')}\n}\n`
}

const quote = (text: string) => JSON.stringify(text)

/** docs/proofs.md: one table, a row for each result. */
export function printResults(): string {
  const rows = Object.entries(readResults()).map(([name, it]) => {
    const figures = Object.entries(it.figures).flatMap(
      ([figure, { figure: value, target, isMet, limit }]) => {
        if (target === undefined) return []
        const verdict = isMet === true ? '' : ` **not met**: ${limit}`
        return `${figure} **${value}** (${target === `${value}` ? 'exactly' : target})${verdict}`
      },
    )
    const run = `${it.date}, \`${it.commit}\`, ${it.seconds} s<br>\`${it.command}\`<br>${it.machine}`
    return `| <a id="${name}"></a>**${it.title}** ${it.promise} | ${figures.join('<br>')} | ${run} |`
  })
  return `# Proofs

Promises at full size, and benches against the bare engine. Each row is the last run that was made, of the code of its
commit; \`npm run prove -- NAME\` and \`npm run bench -- NAME --write\` replace a row, before a release and when somebody
doubts it. Printed from [proofs/results.json](../proofs/results.json) by \`npm run generate\`.

| promise | figures (target) | run |
|---|---|---|
${rows.join('\n')}
`
}
