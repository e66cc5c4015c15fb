import { parseArgs } from 'node:util'
import { judge, printTable } from '@continuity/dev/figures'
import { writeResult } from '../proofs/results.ts'
import { benches } from './all.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    keep: { type: 'string' },
    rows: { type: 'string' },
    rounds: { type: 'string', default: '41' },
    seconds: { type: 'string', default: '1' },
    videos: { type: 'string' },
    write: { type: 'boolean' },
  },
})
const it = benches.find(({ name }) => name === positionals[0])
if (it === undefined) {
  const list = benches.map(({ name, title }) => `  ${name.padEnd(12)} ${title}`).join('\n')
  const options = '[--json] [--rounds N] [--seconds N] [--videos N] [--rows N] [--keep FOLDER] [--write]'
  console.error(`Usage: npm run bench -- NAME ${options}\n\n${list}`)
  process.exitCode = 2
} else {
  const rounds = Number(values.rounds)
  const secondsPerRound = Number(values.seconds)
  const startMs = performance.now()
  const videos = values.videos === undefined ? undefined : Number(values.videos)
  const rows = values.rows === undefined ? undefined : Number(values.rows)
  const log = (line: string) => console.error(`  ${line}`)
  const measured = await it.run({ rounds, secondsPerRound, videos, rows, keep: values.keep, log })
  const { verdicts, pass } = judge(measured)
  console.log(`${it.title}\n\n${printTable(verdicts)}`)
  if (values.write === true) {
    const seconds = (performance.now() - startMs) / 1_000
    const sizes = Object.entries({ videos, rows }).filter(([, value]) => value !== undefined)
    const options = sizes.map(([name, value]) => ` --${name} ${value}`).join('')
    const command = `npm run bench -- ${it.name}${options} --rounds ${rounds} --seconds ${secondsPerRound} --write`
    const name = `bench-${it.name}${sizes.map(([, value]) => `-${value}`).join('')}`
    writeResult(name, {
      title: it.title,
      promise: it.question,
      command,
      seconds,
      verdicts,
      limits: it.limits,
    })
  }
  if (values.json === true) {
    const { figures, targets } = measured
    console.log(JSON.stringify({ name: it.name, figures, targets, pass }))
  }
  process.exitCode = pass ? 0 : 1
}
