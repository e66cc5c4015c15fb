import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { createHashLanes, type HashLanesOptions, type HashResult } from './hash-lanes.ts'
import type { Lane } from './hash-lanes-line.ts'

test('as many hashes run as there are threads, and the others wait', async () => {
  const bench = aBench({ parallel: 2, waiting: 10 })

  bench.comeAll('a', 'b', 'c', 'd')
  assert.deepEqual(bench.running(), ['a1', 'b1'])
  await bench.end('b1')
  assert.deepEqual(bench.running(), ['a1', 'c1'])
  await bench.endAll()

  assert.deepEqual(bench.started, ['a1', 'b1', 'c1', 'd1'])
  assert.deepEqual(bench.lanes.counts(), { running: 0, waiting: 0, computed: 4, rejected: 0 })
})

test('attempts for one login run one at a time, also if threads are free', async () => {
  const bench = aBench({ parallel: 3, waiting: 10 })

  bench.comeAll('a', 'a', 'a', 'b')
  assert.deepEqual(bench.running(), ['a1', 'b1'])
  await bench.end('a1')

  assert.deepEqual(bench.running(), ['b1', 'a2'])
})

test('a flood for one login delays another login by one hash', async () => {
  const bench = aBench({ parallel: 1, waiting: 100 })

  bench.comeAll(...Array.from({ length: 50 }, () => 'attacked'), 'b', 'c')
  await bench.endAll()

  assert.deepEqual(bench.started.slice(0, 5), ['attacked1', 'attacked2', 'b1', 'c1', 'attacked3'])
})

test('known addresses go before all others, also for the same login', async () => {
  const bench = aBench({ parallel: 1, waiting: 10 })

  bench.comeAll('a', 'a', 'b', 'known a', 'known c')
  await bench.endAll()

  assert.deepEqual(bench.started, ['a1', 'a3', 'c1', 'a2', 'b1'])
})

test('a full queue rejects at once, and the queue of unknown addresses takes no capacity from that of known ones', async () => {
  const bench = aBench({ parallel: 1, waiting: 2 })
  bench.comeAll('a', 'b', 'c')

  const unknown = bench.come('d')
  const known = bench.come('e', 'known')

  assert.deepEqual(await unknown, { kind: 'full' })
  assert.deepEqual(bench.lanes.counts(), { running: 1, waiting: 3, computed: 0, rejected: 1 })
  await bench.endAll()
  assert.deepEqual(await known, { kind: 'done', value: 'e1' })
})

test('a login that fills the queue loses its last entry to another login, but never its only one', async () => {
  const bench = aBench({ parallel: 1, waiting: 3 })
  const [running, first, second, third] = [1, 2, 3, 4].map(() => bench.come('attacked'))

  const b = bench.come('b')
  const c = bench.come('c')
  const d = bench.come('d')
  const again = bench.come('attacked')
  await bench.endAll()

  const kinds = (await Promise.all([running, first, second, third, b, c, d, again])).map((r) => r?.kind)
  assert.deepEqual(kinds, ['done', 'done', 'full', 'full', 'done', 'done', 'full', 'full'])
})

test('with a queue of capacity 0, a free thread still runs a hash', async () => {
  const bench = aBench({ parallel: 1, waiting: 0 })

  const taken = bench.come('a')
  assert.deepEqual(await bench.come('b'), { kind: 'full' })
  await bench.endAll()

  assert.deepEqual(await taken, { kind: 'done', value: 'a1' })
})

test('a hash that fails, at once or later, fails only its caller and frees its thread', async () => {
  const { run, counts } = createHashLanes({ parallel: 1, waiting: 5 })

  const results = await Promise.allSettled([
    run('a', 'other', () => Promise.reject(new Error('later'))),
    run('b', 'other', () => {
      throw new Error('at once')
    }),
    run('c', 'other', () => Promise.resolve('c')),
  ])

  assert.deepEqual(
    results.map((result) => (result.status === 'rejected' ? String(result.reason) : result.value)),
    ['Error: later', 'Error: at once', { kind: 'done', value: 'c' }],
  )
  assert.deepEqual(counts(), { running: 0, waiting: 0, computed: 3, rejected: 0 })
})

type Step =
  | { readonly kind: 'come'; readonly key: string; readonly lane: Lane }
  | { readonly kind: 'end'; readonly which: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('come' as const), key: someKey(), lane: someLane() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat() }) },
)

test('for any sequence: limits hold, no thread is idle, known addresses go first, every call is answered', async () => {
  const options = fc.record({
    parallel: fc.integer({ min: 1, max: 3 }),
    waiting: fc.integer({ min: 0, max: 6 }),
  })

  await fc.assert(
    fc.asyncProperty(options, fc.array(step, { maxLength: 60 }), async (given, steps) => {
      const bench = aBench(given)
      const answers: Promise<HashResult<string>>[] = []
      for (const next of steps) {
        if (next.kind === 'come') answers.push(bench.come(next.key, next.lane))
        else await bench.end(bench.running()[next.which % Math.max(1, bench.running().length)])
        await bench.check()
      }
      await bench.endAll()

      const kinds = (await Promise.all(answers)).map(({ kind }) => kind)
      const done = kinds.filter((kind) => kind === 'done').length
      assert.equal(done, bench.started.length)
      assert.deepEqual(bench.lanes.counts(), {
        running: 0,
        waiting: 0,
        computed: done,
        rejected: kinds.length - done,
      })
    }),
    { numRuns: 200 },
  )
})

test('among logins with constant attempts, none gets more than two turns ahead', async () => {
  const keys = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 })

  await fc.assert(
    fc.asyncProperty(keys, fc.integer({ min: 1, max: 4 }), async (names, parallel) => {
      const turns = new Map(names.map((name) => [name, 0]))
      const { run } = createHashLanes({ parallel, waiting: names.length * 5 })
      const rounds = names.flatMap((name) => [1, 2, 3, 4, 5].map(() => name))

      await Promise.all(
        rounds.map((name) =>
          run(name, 'other', async () => {
            turns.set(name, (turns.get(name) ?? 0) + 1)
            const counts = [...turns.values()]
            const ahead = Math.max(...counts) - Math.min(...counts)
            // The first logins start before the last have arrived.
            assert.ok(ahead <= 2, `ahead by ${ahead}`)
            await setImmediate()
          }),
        ),
      )
    }),
    { numRuns: 50 },
  )
})

function someKey() {
  return fc.constantFrom('a', 'b', 'c', 'd')
}

function someLane() {
  return fc.constantFrom<Lane>('known', 'other')
}

/** Lanes whose hashes end when the test calls `end`. The third attempt for `a` is named `a3`. */
function aBench(options: HashLanesOptions) {
  const lanes = createHashLanes(options)
  const open = new Map<string, (value: string) => void>()
  const started: string[] = []
  const tries = new Map<string, number>()
  const waiting = new Map<string, { key: string; lane: Lane }>()

  const busyKeys = () => [...open.keys()].map((name) => name.replace(/\d+$/, ''))
  /** The entries that wait only for a thread. */
  const ready = (lane: Lane) =>
    [...waiting.values()].filter((entry) => entry.lane === lane && !busyKeys().includes(entry.key))

  const bench = {
    lanes,
    started,
    running: () => [...open.keys()],
    async come(key: string, lane: Lane = 'other') {
      const number = (tries.get(key) ?? 0) + 1
      tries.set(key, number)
      const name = `${key}${number}`
      waiting.set(name, { key, lane })
      const result = await lanes.run(key, lane, () => {
        started.push(name)
        waiting.delete(name)
        if (lane === 'other') assert.deepEqual(ready('known'), [], 'an entry of the known lane was skipped')
        return new Promise<string>((resolve) => open.set(name, resolve))
      })
      waiting.delete(name)
      return result
    },
    comeAll(...names: string[]) {
      for (const name of names) {
        const [key = '', lane] = name.split(' ').reverse()
        void bench.come(key, lane === 'known' ? 'known' : 'other')
      }
    },
    /** Resolves when the next hashes have started. */
    async end(name: string | undefined) {
      if (name === undefined) return
      open.get(name)?.(name)
      open.delete(name)
      await setImmediate()
    },
    async endAll() {
      while (open.size > 0) await bench.end(bench.running()[0])
    },
    async check() {
      await setImmediate()
      const busy = busyKeys()
      assert.ok(busy.length <= options.parallel)
      assert.equal(new Set(busy).size, busy.length, 'two hashes of one login run at once')
      const counts = lanes.counts()
      assert.deepEqual([counts.running, counts.waiting], [open.size, waiting.size])
      for (const lane of ['known', 'other']) {
        const inLane = [...waiting.values()].filter((entry) => entry.lane === lane)
        assert.ok(inLane.length <= options.waiting)
      }
      const idle = busy.length < options.parallel ? [...ready('known'), ...ready('other')] : []
      assert.deepEqual(idle, [], 'a thread is idle')
    },
  }
  return bench
}
