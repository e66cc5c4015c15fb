import type { FileResult } from './run-file.ts'

/** A line for a file, its tests if requested, and every failure. */
export function printFile(result: FileResult, { withTests }: { withTests: boolean }): string {
  const { file, counts, seconds, cpuSeconds, failures, output, tests } = result
  const mark = failures.length === 0 ? '✔' : '✖'
  const times = `${seconds.toFixed(1)} s, cpu ${cpuSeconds.toFixed(1)} s`
  const head = `${mark} ${file}  ${counts['tests'] ?? 0} tests, ${times}`
  const listed = withTests
    ? tests.map(({ name, milliseconds }) => `  ✔ ${name} (${Math.round(milliseconds)} ms)`)
    : []
  const printed = (withTests || failures.length > 0) && output.trim() !== '' ? [indent(output.trimEnd())] : []
  return [head, ...listed, ...printed, ...failures.map(printFailure)].join('\n')
}

const printFailure = ({ name, error }: { name: string; error: string }) =>
  `  ✖ ${name}\n${indent(indent(error))}`

const indent = (text: string) => text.replaceAll(/^/gm, '  ')

/** The longest files, the failures once more, and the counts as Node's own runner prints them. */
export function printSummary(results: readonly FileResult[], seconds: number): string {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)
  const failed = results.filter(({ failures }) => failures.length > 0)
  const passedAlone = results.filter(({ failuresBesideOthers }) => failuresBesideOthers !== undefined)
  const sum = (count: string) => results.reduce((total, { counts }) => total + (counts[count] ?? 0), 0)
  const cpu = results.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0)
  return [
    '',
    'longest files:',
    ...slowest.map(
      (it) =>
        `  ${it.seconds.toFixed(1).padStart(6)} s  cpu ${it.cpuSeconds.toFixed(1).padStart(6)} s  ${it.file}`,
    ),
    ...printFailures(
      'failed beside others, and passed alone:',
      passedAlone.map(({ file, failuresBesideOthers = [] }) => ({ file, failures: failuresBesideOthers })),
    ),
    ...printFailures('failing tests:', failed),
    '',
    `ℹ files ${results.length}, ${passedAlone.length === 0 ? '' : `${passedAlone.length} passed only alone, `}cpu ${Math.round(cpu)} s`,
    `ℹ tests ${sum('tests')}`,
    `ℹ suites ${sum('suites')}`,
    `ℹ pass ${sum('passed')}`,
    `ℹ fail ${Math.max(
      sum('failed'),
      failed.reduce((total, { failures }) => total + failures.length, 0),
    )}`,
    `ℹ cancelled ${sum('cancelled')}`,
    `ℹ skipped ${sum('skipped')}`,
    `ℹ todo ${sum('todo')}`,
    `ℹ duration_ms ${Math.round(seconds * 1_000)}`,
  ].join('\n')
}

const printFailures = (
  heading: string,
  failed: readonly Pick<FileResult, 'file' | 'failures'>[],
): readonly string[] =>
  failed.length === 0
    ? []
    : [
        '',
        heading,
        ...failed.flatMap(({ file, failures }) => [
          `  ${file}`,
          ...failures.map((it) => indent(printFailure(it))),
        ]),
      ]
