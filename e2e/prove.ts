import { parseArgs } from 'node:util'
import { judge, printTable } from '../tools/figures/figures.ts'
import { writeFigures } from '../tools/figures/write-figures.ts'
import { reapAtExit } from '../tools/test-runner/start-reaper.ts'
import { proofs } from './proofs/all.ts'
import { beginControl, isDetected, readControlPage } from './proofs/control-page.ts'
import { runControls } from './proofs/controls.ts'
import type { Proof } from './proofs/proof.ts'
import { runSabotaged } from './proofs/run-sabotaged.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    json: { type: 'boolean' },
    'no-page': { type: 'boolean' },
    sabotage: { type: 'boolean' },
    seed: { type: 'string' },
    small: { type: 'boolean' },
  },
})
await reapAtExit()
const it = proofs.find(({ name }) => name === positionals[0])
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const isSmall = values.small === true
const areControls = positionals[0] === 'controls'
if ((it === undefined && !areControls) || !Number.isSafeInteger(seed)) {
  const list = proofs.map(({ name, title }) => `  ${name.padEnd(26)} ${title}`).join('\n')
  console.error(`Usage: npm run prove -- NAME [--seed N] [--small] [--sabotage] [--json] [--no-page]

  --seed N    the seed of all randomness; random when absent
  --small     the size that CI runs
  --sabotage  injects the proof's fault into a copy of the project: the run must fail (exit code 1)
  --json      prints the verdicts as one line of JSON last
  --no-page   does not write docs/proofs/NAME.md

  ${'controls'.padEnd(26)} The controls of all proofs below whose code has changed since
  ${''.padEnd(26)} they detected their faults; with --all every one, which takes an hour
${list}`)
  process.exitCode = 2
} else if (it === undefined) {
  process.exitCode = await proveControls()
} else {
  process.exitCode = values.sabotage === true ? await sabotage(it) : await prove(it)
}

async function prove(it: Proof): Promise<number> {
  console.error(`${it.title}, seed ${seed}`)
  const startMs = performance.now()
  const size = isSmall ? it.sizes.small : it.sizes.full
  const measured = await it.run({ size, seed, log: (line) => console.error(`  ${line}`) })
  const { verdicts, pass } = judge(measured)
  console.log(printTable(verdicts))
  if (!isSmall && values['no-page'] !== true) {
    const seconds = (performance.now() - startMs) / 1_000
    const command = `npm run prove -- ${it.name} --seed ${seed}`
    const { name: file, title, promise: text, watches, limits } = it
    console.log(writeFigures({ file, title, text, command, seed, seconds, verdicts, watches, limits }))
  }
  if (values.json === true) console.log(JSON.stringify({ name: it.name, seed, verdicts, pass }))
  return pass ? 0 : 1
}

async function proveControls(): Promise<number> {
  const page = readControlPage()
  const due = proofs.filter((one) => values.all === true || !isDetected(page, one))
  const undetected = await runControls(due, {
    run: (one) => runSabotaged(one, { seed, isSmall: true }),
    begin: (one) => (values['no-page'] === true ? () => true : beginControl(proofs, one, seed)),
    log: (line) => console.error(`  ${line}`),
  })
  console.log(
    `${due.length - undetected.length} of ${due.length} faults detected, ` +
      `${proofs.length - due.length} controls not run because their code has not changed`,
  )
  if (undetected.length > 0) console.log(`Not detected by ${undetected.join(', ')}`)
  return undetected.length === 0 ? 0 : 1
}

/** 1: failed, as it must. 0: the proof passed. 3: failed, but not because of the sabotage. */
async function sabotage(it: Proof): Promise<number> {
  console.error(`Sabotage: ${it.sabotage.title}`)
  const echo = (chunk: string) => void process.stderr.write(chunk)
  const { verdicts, unmissed } = await runSabotaged(it, { seed, isSmall, echo })
  if (verdicts === undefined) {
    console.log('The sabotaged run failed before its figures.')
    return 3
  }
  console.log(printTable(verdicts))
  if (unmissed.length === 0) {
    console.log(`\nFailed as it must: ${it.sabotage.missed.join(', ')}`)
    return 1
  }
  const isRed = verdicts.some(({ isMet }) => isMet === false)
  console.log(`\n${it.name} does not detect its sabotage: ${unmissed.join(', ')} met`)
  return isRed ? 3 : 0
}
