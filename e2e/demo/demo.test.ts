import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { demo } from './demo-proof.ts'

test('the demo plays a program in the console, whose title and clock are in the picture', async () => {
  await assertSmall(demo, 1)
})
