import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../packages/server/src/platform/errors.ts'
import { assertSmall } from '../proofs/proof.ts'
import { exampleCredential, startExampleApi } from './example-api.ts'
import { fuzz } from './fuzz.ts'
import { wireFuzz } from './proof.ts'

test('random requests get no 500, no crash and no answer that the documents do not know', async () => {
  await assertSmall(wireFuzz, 20_261_115)
})

test('the walk finds an operation that fails, lies or refuses what is valid', async () => {
  const api = await startExampleApi({
    getVideo: () => {
      throw new TypeError('a bug')
    },
    getSeries: () => ({ series_id: 7 }) as never,
    listBrands: () => {
      throw new AppError({ code: 'no.reason', status: 409, title: 'No reason' }, 'Not today.')
    },
  })

  const { faults } = await fuzz({
    baseUrl: api.baseUrl,
    credential: exampleCredential,
    requestsPerOperation: 20,
    seed: 1,
  }).finally(() => api.close())

  const found = faults.join('\n')
  assert.match(found, /getVideo, \S+: answered 500/)
  assert.match(found, /getSeries, valid: the answer is not as documented/)
  assert.match(found, /listBrands, valid: a valid request was refused/)
  // A request to a neighbour at the same address may have its method changed to GET.
  const addresses = /"path":"\/api\/2\.1\/(videos\/|series\/|brands)/
  assert.deepEqual(
    faults.filter((fault) => !addresses.test(fault)),
    [],
  )
})
