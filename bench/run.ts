import { parseArgs } from 'node:util'
import { judge, printTable } from '../tools/figures/figures.ts'
import { writeFigures } from '../tools/figures/write-figures.ts'
import { benches } from './all.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    rounds: { type: 'string', default: '41' },
    seconds: { type: 'string', default: '1' },
    write: { type: 'boolean' },
  },
})
const it = benches.find(({ name }) => name === positionals[0])
if (it === undefined) {
  const list = benches.map(({ name, title }) => `  ${name.padEnd(12)} ${title}`).join('\n')
  console.error(`Usage: npm run bench -- NAME [--json] [--rounds N] [--seconds N] [--write]\n\n${list}`)
  process.exitCode = 2
} else {
  const rounds = Number(values.rounds)
  const secondsPerRound = Number(values.seconds)
  const startMs = performance.now()
  const measured = await it.run({ rounds, secondsPerRound, say: (line) => console.error(`  ${line}`) })
  const { verdicts, pass } = judge(measured)
  console.log(`${it.title}\n\n${printTable(verdicts)}`)
  if (values.write === true) {
    const seconds = (performance.now() - startMs) / 1_000
    const command = `npm run bench -- ${it.name} --rounds ${rounds} --seconds ${secondsPerRound} --write`
    const record = { file: `bench-${it.name}`, title: it.title, text: it.question, command, seed: 0, seconds }
    console.log(writeFigures({ ...record, verdicts, notes: measured.notes }))
  }
  if (values.json === true) {
    const { figures, targets } = measured
    console.log(JSON.stringify({ name: it.name, figures, targets, pass }))
  }
  process.exitCode = pass ? 0 : 1
}
