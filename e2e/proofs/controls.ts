import type { Measured } from '../../tools/figures/figures.ts'
import type { Proof, ProofContext } from './proof.ts'
import { runSabotaged } from './run-sabotaged.ts'

/** Runs the control of every proof at its small size, one after another: each must miss what its sabotage breaks. */
export async function runControls(
  proofs: readonly Proof[],
  { seed, log }: Pick<ProofContext<unknown>, 'seed' | 'log'>,
): Promise<Measured> {
  const unnoticed: string[] = []
  for (const it of proofs) {
    const startMs = performance.now()
    const { unmissed, output } = await runSabotaged(it, { seed, isSmall: true })
    const seconds = Math.round((performance.now() - startMs) / 1_000)
    if (unmissed.length === 0) log(`${it.name}: fails when ${it.sabotage.title} (${seconds} s)`)
    else {
      unnoticed.push(it.name)
      log(
        `${it.name}: NOT DETECTED, ${unmissed.join(', ')} met when ${it.sabotage.title} (${seconds} s)\n${output}`,
      )
    }
  }
  return {
    figures: {
      controls: proofs.length,
      controls_noticed: proofs.length - unnoticed.length,
      controls_not_noticed: unnoticed.length === 0 ? 0 : unnoticed.join(', '),
    },
    targets: { controls: { atLeast: 1 }, controls_not_noticed: { is: 0 } },
  }
}
