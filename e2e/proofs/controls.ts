import { isNoticed, readControlPage, recordControl } from './control-page.ts'
import type { Proof, ProofContext } from './proof.ts'
import { runSabotaged } from './run-sabotaged.ts'

interface ControlOptions extends Pick<ProofContext<unknown>, 'seed' | 'log'> {
  readonly isAll: boolean
  /** On the page of controls. */
  readonly isRecorded: boolean
}

/**
 * Runs the control of every proof whose code has changed since it noticed its fault, or of all, one after another at the
 * small size. Each result is recorded at once, so that a run that is ended is continued by the next one. Returns the names of
 * those that noticed nothing.
 */
export async function runControls(
  proofs: readonly Proof[],
  { isAll, isRecorded, seed, log }: ControlOptions,
): Promise<readonly string[]> {
  const page = readControlPage()
  const unnoticed: string[] = []
  const due = proofs.filter((it) => isAll || !isNoticed(page, it))
  for (const [at, it] of due.entries()) {
    const startMs = performance.now()
    const { unmissed, output } = await runSabotaged(it, { seed, isSmall: true })
    const seconds = Math.round((performance.now() - startMs) / 1_000)
    const about = `${at + 1} of ${due.length}, ${it.name}`
    if (isRecorded) recordControl(proofs, it, { hasNoticed: unmissed.length === 0, seed })
    if (unmissed.length === 0) log(`${about}: fails when ${it.sabotage.title} (${seconds} s)`)
    else {
      unnoticed.push(it.name)
      log(
        `${about}: NOT NOTICED, ${unmissed.join(', ')} met when ${it.sabotage.title} (${seconds} s)\n${output}`,
      )
    }
  }
  return unnoticed
}
