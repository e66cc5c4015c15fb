import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecordChanged } from '../../packages/server/src/http/errors.ts'
import { AppError } from '../../packages/server/src/platform/errors.ts'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { exampleTarget, startExampleApi } from './example-api.ts'
import { fuzz } from './fuzz.ts'
import { createKnownValues } from './known-values.ts'
import { wireFuzz } from './proof.ts'

const FEW = { requestsPerOperation: 12, seed: 1, faultsEnough: 200 }

test('random requests get no 500, no crash and no answer that the documents do not know', async () => {
  await assertSmall(wireFuzz, 20_261_115)
})

test('the proof goes red when a NUL character passes the check of the input', async () => {
  await assertSabotageIsFound(wireFuzz, 20_261_115)
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

  const { faults } = await fuzz(exampleTarget(api.baseUrl), FEW).finally(() => api.close())

  const found = faults.join('\n')
  assert.match(found, /getVideo, \S+: answered 500/)
  assert.match(found, /getSeries, (near-)?valid: the answer is not as documented/)
  assert.match(found, /listBrands, valid: a valid request was refused/)
  // A request to a neighbour at the same address may have its method changed to GET.
  const addresses = /"path":"\/api\/2\.1\/(videos\/|series\/|brands)/
  assert.deepEqual(
    faults.filter((fault) => !addresses.test(fault)),
    [],
  )
})

test('where refusals are allowed, the walk finds one that its operation does not declare', async () => {
  const refuse = () => {
    throw RecordChanged()
  }
  const api = await startExampleApi({ changeUser: refuse, getBrand: refuse })

  const target = { ...exampleTarget(api.baseUrl), refusals: 'declared' } as const
  const { faults } = await fuzz(target, FEW).finally(() => api.close())

  assert.match(faults.join('\n'), /getBrand, valid: 412 record\.changed is not declared/)
  assert.deepEqual(
    faults.filter((fault) => !fault.startsWith('getBrand, ')),
    [],
  )
})

test('the walk finds an answer that holds what is of another account', async () => {
  const api = await startExampleApi({ getAccount: () => ({ title: 'theirs' }) as never })

  const target = { ...exampleTarget(api.baseUrl), secret: 'theirs' }
  const { faults } = await fuzz(target, FEW).finally(() => api.close())

  assert.match(faults.join('\n'), /getAccount, valid: the answer holds what is another's/)
})

test('what answers hold is known, with the place where it was found', () => {
  const known = createKnownValues()
  known.reserve('own')

  known.learn([{ distributor: 'harbour', key: 'x' }], { linear_channel_id: 'c1' })
  known.learn({ hits: [{ user_id: 'own', email: 'own@b.example' }, { user_id: 'u1' }] })
  known.learn({ after: { password: 'changed' } })
  known.learn({ hits: [], page: { page_id: null, page_mark: 'next', page_offset: '0' } })

  const place = known.pickPlace(['linear_channel_id', 'distributor'], 7)
  assert.deepEqual(place, { linear_channel_id: 'c1', distributor: 'harbour' })
  assert.equal(known.pick('user_id', 7), 'u1')
  assert.equal(known.pick('page_offset', 7), 'next')
  assert.equal(known.pick('email', 7), undefined)
  assert.equal(known.pick('key', 7), undefined)
  assert.equal(known.pick('password', 7), undefined)
})
