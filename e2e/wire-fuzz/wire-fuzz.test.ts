import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecordChanged } from '../../packages/server/src/http/errors.ts'
import { AppError } from '../../packages/server/src/platform/errors.ts'
import { assertSmall } from '../proofs/proof.ts'
import { exampleTarget, startExampleApi } from './example-api.ts'
import { fuzz } from './fuzz.ts'
import { createKnownValues } from './known-values.ts'
import { wireFuzz } from './proof.ts'

const FEW = {
  requestsPerOperation: 12,
  seed: 1,
  faultsEnough: 200,
  only: ['getVideo', 'getSeries', 'listBrands', 'getBrand', 'changeUser', 'getAccount', 'listVideos'],
}

test('random requests get no 500, no crash and no undocumented answer', async () => {
  await assertSmall(wireFuzz, 20_261_115)
})

test('reports an operation that fails, breaks its schema or rejects a valid request', async () => {
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
  assert.match(found, /listBrands, valid: a valid request was rejected/)
  // A request to another operation at the same path may have its method changed to GET.
  const addresses = /"path":"\/api\/2\.1\/(videos\/|series\/|brands)/
  assert.deepEqual(
    faults.filter((fault) => !addresses.test(fault)),
    [],
  )
})

test('reports an error that the operation does not declare', async () => {
  const reject = () => {
    throw RecordChanged()
  }
  const api = await startExampleApi({ changeUser: reject, getBrand: reject })

  const target = { ...exampleTarget(api.baseUrl), rejections: 'declared' } as const
  const { faults } = await fuzz(target, FEW).finally(() => api.close())

  assert.match(faults.join('\n'), /getBrand, valid: 412 record\.changed is not declared/)
  assert.deepEqual(
    faults.filter((fault) => !fault.startsWith('getBrand, ')),
    [],
  )
})

test('reports an answer with data of another account', async () => {
  const api = await startExampleApi({ getAccount: () => ({ title: 'theirs' }) as never })

  const target = { ...exampleTarget(api.baseUrl), secret: 'theirs' }
  const { faults } = await fuzz(target, FEW).finally(() => api.close())

  assert.match(faults.join('\n'), /getAccount, valid: the answer contains data of another account/)
})

test('keeps ids of answers together with the path parameters of their requests', () => {
  const known = createKnownValues()
  known.reserve('own')

  known.collect([{ distributor: 'harbour', key: 'x' }], { linear_channel_id: 'c1' })
  known.collect({ hits: [{ user_id: 'own', email: 'own@b.example' }, { user_id: 'u1' }] })
  known.collect({ after: { password: 'changed' } })
  known.collect({ hits: [], page: { page_id: null, page_mark: 'next', page_offset: '0' } })

  const together = known.pickTogether(['linear_channel_id', 'distributor'], 7)
  assert.deepEqual(together, { linear_channel_id: 'c1', distributor: 'harbour' })
  assert.equal(known.pick('user_id', 7), 'u1')
  assert.equal(known.pick('page_offset', 7), 'next')
  assert.equal(known.pick('email', 7), undefined)
  assert.equal(known.pick('key', 7), undefined)
  assert.equal(known.pick('password', 7), undefined)
})
