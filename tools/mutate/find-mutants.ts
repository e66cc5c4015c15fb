import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@stryker-mutator/api/logging'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { projectRoot, readSourceFiles } from '../architecture/source-files.ts'
import type { SourceChange } from '../source-changes/project-copy.ts'

/** A mutant that Stryker's mutators propose. */
export interface FoundMutant {
  /** From the project's root. */
  readonly file: string
  readonly line: number
  readonly mutator: string
  readonly original: string
  readonly replacement: string
  /** Offsets of the original in the file. */
  readonly start: number
  readonly end: number
}

/** The folder of rules or the module that a file belongs to, such as core/schedule or modules/ingest. */
export function areaOf(file: string): string {
  const [, name, , first = '', second = ''] = file.split('/')
  return name === 'core' ? `core/${first}` : `${first}/${second}`
}

const IN_SCOPE = /^packages\/(core\/src|server\/src\/modules)\//

/** Every mutant of the rules and of the modules, but for those that only change texts for people. */
export async function findMutants(): Promise<readonly FoundMutant[]> {
  const files = readSourceFiles().filter(({ path }) => IN_SCOPE.test(path))
  const instrumenter = new Instrumenter(SILENT)
  const { mutants } = await instrumenter.instrument(
    files.map(({ path, text }) => ({ name: path, mutate: true, content: text })),
    { plugins: null, excludedMutations: [], ignorers: [], noHeader: true },
  )
  const textOf = new Map(files.map(({ path, text }) => [path, text]))
  return mutants
    .map(({ fileName, location, mutatorName, replacement }): FoundMutant => {
      const text = textOf.get(fileName)!
      const [start, end] = [offsetOf(text, location.start), offsetOf(text, location.end)]
      return {
        file: fileName,
        line: location.start.line + 1,
        mutator: mutatorName,
        original: text.slice(start, end),
        replacement,
        start,
        end,
      }
    })
    .filter((mutant) => !isTextForPeople(mutant, textOf.get(mutant.file)!))
}

/** Lines and columns are counted from 0. */
export function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  const lines = text.split('\n').slice(0, line)
  return lines.reduce((sum, it) => sum + it.length + 1, 0) + column
}

/**
 * The mutants that are left out: a string that becomes empty or not, if it is prose (it has a space, and is not a
 * statement or markup), is an argument of a log or an error, or is a declaration of errors or metrics.
 */
export function isTextForPeople(
  { mutator, original, file, start }: Pick<FoundMutant, 'mutator' | 'original' | 'file' | 'start'>,
  text: string,
): boolean {
  if (mutator !== 'StringLiteral') return false
  if (/\/(?:errors|metrics|[a-z-]+-(?:errors|metrics))\.ts$/.test(file)) return true
  const line = text.slice(text.lastIndexOf('\n', start) + 1, start)
  if (/\b(?:log|logger)\.\w+\(|Error\(|\b(?:title|detail|help|description|message): *$/.test(line))
    return true
  return / /.test(original) && !/[<#=]|\b(?:select|insert|update|delete|from|where)\b/i.test(original)
}

/**
 * The mutant as a change of text. Its surroundings are included as far as is needed for it to occur once in its file;
 * an expression is put into parentheses, because Stryker replaces nodes and not text.
 */
export function changeOf({ file, start, end, mutator, replacement }: FoundMutant): SourceChange {
  const text = readFileSync(join(projectRoot, file), 'utf8')
  const code = EXPRESSIONS.has(mutator) ? `(${replacement})` : replacement
  let [from, to] = [start, end]
  while (text.indexOf(text.slice(from, to)) !== text.lastIndexOf(text.slice(from, to))) {
    from = Math.max(0, from - 20)
    to = Math.min(text.length, to + 20)
  }
  return { file, from: text.slice(from, to), to: text.slice(from, start) + code + text.slice(end, to) }
}

export function describeMutant({ file, line, original, replacement }: FoundMutant): string {
  return `${file}:${line} \`${short(original)}\` → \`${short(replacement)}\``
}

function short(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ').replaceAll('`', "'")
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

const EXPRESSIONS = new Set(['ArithmeticOperator', 'EqualityOperator', 'LogicalOperator'])

const ignore = () => {}
const no = () => false
const SILENT: Logger = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
}
