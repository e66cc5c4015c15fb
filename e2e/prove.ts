import { parseArgs } from 'node:util'
import { judge, printTable } from '../tools/figures/figures.ts'
import { writeFigures } from '../tools/figures/write-figures.ts'
import { proofs } from './proofs/all.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, small: { type: 'boolean' } },
})
const it = proofs.find(({ name }) => name === positionals[0])
if (it === undefined) {
  const list = proofs.map(({ name, title }) => `  ${name.padEnd(18)} ${title}`).join('\n')
  console.error(`Usage: npm run prove -- NAME [--seed N] [--small]\n\n${list}`)
  process.exitCode = 2
} else {
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
  const isSmall = values.small === true
  console.error(`${it.title}, seed ${seed}`)
  const startMs = performance.now()
  const size = isSmall ? it.sizes.small : it.sizes.full
  const measured = await it.run({ size, seed, say: (line) => console.error(`  ${line}`) })
  const { verdicts, pass } = judge(measured)
  console.log(printTable(verdicts))
  if (!isSmall) {
    const seconds = (performance.now() - startMs) / 1_000
    const command = `npm run prove -- ${it.name}`
    console.log(
      writeFigures({ file: it.name, title: it.title, text: it.promise, command, seed, seconds, verdicts }),
    )
  }
  process.exitCode = pass ? 0 : 1
}
