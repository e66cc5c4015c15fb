import { parseArgs } from 'node:util'
import { judge, printTable } from '@continuity/dev/figures'
import { proofs } from './all.ts'
import { writeResult } from './results.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, small: { type: 'boolean' } },
})
const it = proofs.find(({ name }) => name === positionals[0])
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
if (it === undefined || !Number.isSafeInteger(seed)) {
  const list = proofs.map(({ name, title }) => `  ${name.padEnd(20)} ${title}`).join('\n')
  console.error(`Usage: npm run prove -- NAME [--seed N] [--small]

  --seed N   the seed of all randomness; random when absent
  --small    a minute or two, as every night; writes no result

${list}`)
  process.exitCode = 2
} else {
  console.error(`${it.title}, seed ${seed}`)
  const startMs = performance.now()
  const size = values.small === true ? it.sizes.small : it.sizes.full
  const measured = await it.run({ size, seed, log: (line) => console.error(`  ${line}`) })
  const { verdicts, pass } = judge(measured)
  console.log(printTable(verdicts))
  if (values.small !== true) {
    const { name, title, promise, limits } = it
    const command = `npm run prove -- ${name} --seed ${seed}`
    writeResult(name, {
      title,
      promise,
      command,
      seconds: (performance.now() - startMs) / 1_000,
      verdicts,
      limits,
    })
  }
  process.exitCode = pass ? 0 : 1
}
