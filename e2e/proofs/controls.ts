import type { Proof } from './proof.ts'
import type { SabotagedRun } from './run-sabotaged.ts'

interface ControlsOptions {
  run(it: Proof): Promise<Pick<SabotagedRun, 'unmissed' | 'output'>>
  /** See `beginControl`. */
  begin(it: Proof): (hasDetected: boolean) => boolean
  log(line: string): void
}

/**
 * Runs controls one after another. Each result is recorded at once, so that a run that is ended is continued by the next
 * one. Returns the names of the proofs that did not detect their faults.
 */
export async function runControls(
  due: readonly Proof[],
  { run, begin, log }: ControlsOptions,
): Promise<readonly string[]> {
  const undetected: string[] = []
  for (const [at, it] of due.entries()) {
    const startMs = performance.now()
    const record = begin(it)
    const { unmissed, output } = await run(it)
    const seconds = Math.round((performance.now() - startMs) / 1_000)
    const hasDetected = unmissed.length === 0
    const about = `${at + 1} of ${due.length}, ${it.name} (${seconds} s)`
    if (hasDetected) log(`${about}: detects that ${it.sabotage.title}`)
    else {
      undetected.push(it.name)
      log(`${about}: DOES NOT DETECT that ${it.sabotage.title}, ${unmissed.join(', ')} met\n${output}`)
    }
    if (!record(hasDetected)) log(`${about}: not recorded, its code has changed meanwhile`)
  }
  return undetected
}
