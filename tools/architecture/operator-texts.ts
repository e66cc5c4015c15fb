import type { SourceFile } from './source-files.ts'

export interface LogMessage {
  readonly level: string
  readonly message: string
  readonly path: string
}

export interface MetricHelp {
  readonly name: string
  readonly type: string
  readonly help: string
}

const LOG_CALL = /\blogger\.(debug|info|warn|error|fatal)\(/g
const METRIC_CALL = /\bmetrics\s*\??\.(counter|gauge|gauges|histogram|total)\(/g

/** Every message that the server logs, with its level. */
export function findLogMessages(files: readonly SourceFile[]): LogMessage[] {
  return serverFiles(files)
    .flatMap(({ path, text }) =>
      [...text.matchAll(LOG_CALL)].map(({ 1: level, index, 0: call }) => {
        const message = textsOf(argumentsAt(text, index + call.length)).at(-1) ?? '…'
        return { level: level!, message, path }
      }),
    )
    .toSorted(byText(({ message }) => message))
}

/** Every metric of the server, with its help text. */
export function findMetrics(files: readonly SourceFile[]): MetricHelp[] {
  return serverFiles(files)
    .flatMap(({ text }) =>
      [...text.matchAll(METRIC_CALL)].flatMap(({ 1: type, index, 0: call }) => {
        const [name, help] = textsOf(argumentsAt(text, index + call.length))
        return name === undefined || help === undefined ? [] : [{ name, type: types[type!] ?? type!, help }]
      }),
    )
    .toSorted(byText(({ name }) => name))
}

const types: Readonly<Record<string, string>> = { gauges: 'gauge', total: 'counter' }

const serverFiles = (files: readonly SourceFile[]) =>
  files.filter(({ path }) => path.startsWith('packages/server/'))

const byText =
  <T>(textOf: (it: T) => string) =>
  (one: T, other: T) =>
    textOf(one) < textOf(other) ? -1 : 1

/** The text of a call from behind its parenthesis to the one that closes it. */
function argumentsAt(text: string, start: number): string {
  let depth = 1
  let quote = ''
  for (let index = start; index < text.length; index += 1) {
    const letter = text[index]!
    if (quote !== '') {
      if (letter === '\\') index += 1
      else if (letter === quote) quote = ''
    } else if (letter === "'" || letter === '"' || letter === '`') quote = letter
    else if ('({['.includes(letter)) depth += 1
    else if (')}]'.includes(letter)) depth -= 1
    if (depth === 0) return text.slice(start, index)
  }
  return text.slice(start)
}

/** The string literals among the arguments themselves, not those inside of objects and calls; `…` for a value. */
function textsOf(args: string): string[] {
  const literals = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
  return [...args.matchAll(literals)]
    .filter(({ index }) => depthAt(args, index) === 0)
    .map(([, one, two, three]) => (one ?? two ?? three ?? '').replaceAll(/\$\{[^}]*\}/g, '…'))
}

function depthAt(args: string, end: number): number {
  const before = args.slice(0, end).replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '')
  return (before.match(/[({[]/g)?.length ?? 0) - (before.match(/[)}\]]/g)?.length ?? 0)
}
