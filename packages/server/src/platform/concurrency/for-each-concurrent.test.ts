import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachConcurrent } from './for-each-concurrent.ts'

/** Work that ends on demand; each item once. */
function aWork() {
  const ends = new Map<number, { readonly resolve: () => void; readonly reject: (error: Error) => void }>()
  const begun: number[] = []
  const work = (item: number) =>
    new Promise<void>((resolve, reject) => {
      begun.push(item)
      ends.set(item, { resolve, reject })
    })
  return {
    work,
    begun,
    succeed: async (item: number) => {
      ends.get(item)!.resolve()
      await turn()
    },
    fail: async (item: number, message: string) => {
      ends.get(item)!.reject(new Error(message))
      await turn()
    },
  }
}

const turn = () => new Promise(setImmediate)

test('as many items run at once as allowed, and the next begins when one ends', async () => {
  const { work, begun, succeed } = aWork()
  const done = forEachConcurrent([1, 2, 3, 4], 2, work)

  assert.deepEqual(begun, [1, 2])
  await succeed(2)
  assert.deepEqual(begun, [1, 2, 3])
  for (const item of [1, 3, 4]) await succeed(item)

  await done
  assert.deepEqual(begun, [1, 2, 3, 4])
})

test('after a failure no item is begun, the running ones are awaited, and the first error is thrown', async () => {
  const { work, begun, succeed, fail } = aWork()
  let outcome = 'pending'
  const done = forEachConcurrent([1, 2, 3, 4, 5, 6], 3, work).catch((error: Error) => {
    outcome = error.message
  })

  await fail(2, 'the first')
  assert.equal(outcome, 'pending')
  await succeed(1)
  assert.equal(outcome, 'pending')
  await fail(3, 'the second')
  await done

  assert.equal(outcome, 'the first')
  assert.deepEqual(begun, [1, 2, 3])
})

test('work that throws before it awaits fails the same way, whatever it throws', async () => {
  const begun: number[] = []
  const throwing = (item: number): Promise<void> => {
    begun.push(item)
    throw undefined
  }

  await assert.rejects(
    async () => forEachConcurrent([1, 2, 3], 1, throwing),
    (error) => error === undefined,
  )
  assert.deepEqual(begun, [1])
})

test('no items return at once', async () => {
  await forEachConcurrent([], 4, () => assert.fail())
})
