import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { upgradeLive } from './live-proof.ts'
import { requirePreviousRelease } from './releases.ts'

test('this release is rolled out beside the previous one, and rolled back, while a channel is live', async (t) => {
  const { version, breaking } = await requirePreviousRelease()

  if (breaking !== undefined)
    t.diagnostic(`not tried: version ${version} cannot run on the schema of ${breaking}`)
  else await assertSmall(upgradeLive, 1)
})
