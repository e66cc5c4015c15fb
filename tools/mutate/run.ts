import { parseArgs } from 'node:util'
import { writeSection } from './page.ts'
import { runDrawn } from './run-drawn.ts'
import { runListed } from './run-listed.ts'
import { runStryker } from './run-stryker.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: '2' },
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})
const [what = '', scope = ''] = positionals
const concurrency = Number(values.concurrency)
const startMs = performance.now()
const log = (line: string) => console.error(line)
const seconds = () => (performance.now() - startMs) / 1_000
const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n')

if (!Number.isSafeInteger(concurrency) || concurrency < 1) usage()
else if (what === 'listed') process.exitCode = await listed()
else if (what === 'drawn') process.exitCode = await drawn()
else if (/^core(?:\/|$)/.test(what)) process.exitCode = await stryker()
else usage()

function usage(): void {
  console.error(`Usage: npm run mutate -- core/FOLDER[/FILE.ts] [--concurrency N] [--write]
       npm run mutate -- listed [AREA | ID] [--concurrency N] [--write]
       npm run mutate -- drawn [AREA] [--count N] [--seed N] [--concurrency N] [--write]

  core/FOLDER      every mutant that StrykerJS finds in a folder of packages/core/src
  listed           the mistakes that are listed in tools/mutate/listed: every one must be noticed
  drawn            mutants that are drawn at random from packages/core and the modules of the server
  --concurrency N  mutants at a time, 2 by default
  --write          writes the result to docs/proofs/mutation.md`)
  process.exitCode = 2
}

async function listed(): Promise<number> {
  const report = await runListed(scope === '' ? undefined : scope, concurrency, log)
  if (report === undefined) {
    console.error(`No list has the area or the mutant ${scope}`)
    return 2
  }
  const { table, faults } = report
  console.log(`${table}\n\n${faults.length === 0 ? 'Every mutant was noticed.' : list(faults)}`)
  if (values.write && scope === '') {
    const body = faults.length === 0 ? table : `${table}\n\nNot as listed:\n\n${list(faults)}`
    const watches = ['packages/core/src', 'packages/server/src', 'tools/mutate/listed']
    console.log(
      writeSection({
        title: 'Listed',
        body,
        command: 'npm run mutate -- listed',
        seconds: seconds(),
        watches,
      }),
    )
  }
  return faults.length === 0 ? 0 : 1
}

async function drawn(): Promise<number> {
  const [count, seed] = [Number(values.count), Number(values.seed)]
  if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) {
    console.error('--count and --seed are whole numbers, and at least one mutant is drawn')
    return 2
  }
  const { table, survivors, leftOut } = await runDrawn({ count, seed, scope, concurrency }, log)
  const body = [
    `${table}\n\nSurvivors:\n\n${survivors.length === 0 ? 'None.' : list(survivors)}`,
    ...(leftOut.length === 0 ? [] : [`Test files that were left out:\n\n${list(leftOut)}`]),
  ].join('\n\n')
  console.log(body)
  if (values.write) {
    const command = `npm run mutate -- drawn ${scope === '' ? '' : `${scope} `}--count ${count} --seed ${seed}`
    const title = scope === '' ? 'Drawn' : `Drawn: ${scope}`
    const watches = scope.startsWith('core')
      ? ['packages/core/src']
      : ['packages/core/src', 'packages/server/src']
    console.log(writeSection({ title, body, command, seconds: seconds(), watches }))
  }
  return 0
}

async function stryker(): Promise<number> {
  const { table, survivors } = await runStryker(what, concurrency, log)
  const body = `${table}\n\nSurvivors:\n\n${survivors.length === 0 ? 'None.' : list(survivors)}`
  console.log(body)
  if (values.write) {
    const command = `npm run mutate -- ${what} --concurrency ${values.concurrency}`
    const watches = [what.replace(/^core/, 'packages/core/src')]
    console.log(writeSection({ title: `StrykerJS: ${what}`, body, command, seconds: seconds(), watches }))
  }
  return 0
}
