import { rollingRestart } from '../rolling-restart/proof.ts'
import { wireFuzz } from '../wire-fuzz/proof.ts'
import type { Proof } from './proof.ts'

/** Every promise that `npm run prove` knows. */
export const proofs: readonly Proof[] = [wireFuzz, rollingRestart] as readonly Proof[]
