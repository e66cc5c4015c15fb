import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { aCapturedLog } from '../../../http/testing/captured-log.ts'
import { NOW_MS } from '../../../http/testing/credentials.ts'
import { newId } from '../../../platform/crypto/ids.ts'
import { aBus } from '../../../platform/testing/a-bus.ts'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { insertEnded } from '../records/ended-store.ts'
import { watchEndedCredentials } from './ended-credentials.ts'
import { ACCESS_MS } from './open-session.ts'

const { database } = await aDatabase()

test('an end is kept for longer than an hour: a concurrent refresh may have signed a credential after it', async (t) => {
  const sessionId = newId(NOW_MS)
  await insertEnded(database.platform, [{ kind: 'session', id: sessionId, generation: 0, endedMs: NOW_MS }])
  const watch = await aWatch(t)
  const isEnded = () => watch.ended.isEnded({ sessionId, subjectId: newId(NOW_MS), generation: 0 })

  // The refresh had to wait, and read the clock two seconds after the session was ended.
  await watch.lookAt(NOW_MS + 2_000 + ACCESS_MS)
  assert.equal(isEnded(), true)
  await watch.lookAt(NOW_MS + 2 * ACCESS_MS)
  assert.equal(isEnded(), false)
})

test('an end is found that was committed after a later one', async (t) => {
  const [early, late] = [newId(NOW_MS), newId(NOW_MS)]
  const end = (id: string, endedMs: number) =>
    insertEnded(database.platform, [{ kind: 'session', id, generation: 0, endedMs }])
  await end(early, NOW_MS)
  const watch = await aWatch(t)
  const isEnded = (sessionId: string) =>
    watch.ended.isEnded({ sessionId, subjectId: newId(NOW_MS), generation: 0 })

  // Its process read the clock earlier, or its clock is behind, and the commit had to wait.
  await end(late, NOW_MS - 59_000)
  await watch.lookAt(NOW_MS + 5_000)

  assert.deepEqual([isEnded(early), isEnded(late)], [true, true])
})

/** Resolves after the first read of the table; `lookAt` triggers the next one. */
async function aWatch(t: TestContext) {
  const looks = new EventTarget()
  const emit = (name: string) => looks.dispatchEvent(new Event(name))
  let nowMs = NOW_MS
  const bus = {
    ...aBus().connect(),
    async wait(_ms: number, signal: AbortSignal) {
      emit('over')
      await once(looks, 'next', { signal }).catch(() => {})
    },
  }
  const over = once(looks, 'over')
  const { logger } = aCapturedLog()
  const ended = watchEndedCredentials({ database, bus, clock: () => nowMs, logger })
  t.after(() => ended.close())
  await over
  return {
    ended,
    async lookAt(atMs: number) {
      nowMs = atMs
      const looked = once(looks, 'over')
      emit('next')
      await looked
    },
  }
}
