import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import { NOW_MS } from '../../http/testing/credentials.ts'
import { newId } from '../../platform/ids.ts'
import { aBus } from '../../platform/testing/a-bus.ts'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { watchEndedCredentials } from './ended-credentials.ts'
import { insertEnded } from './ended-store.ts'
import { ACCESS_MS } from './open-session.ts'

const { database } = await aDatabase()

test('an end is known for longer than an hour: a refresh that was under way may have come out after it', async (t) => {
  const sessionId = newId(NOW_MS)
  await insertEnded(database.platform, [{ kind: 'session', id: sessionId, generation: 0, endedMs: NOW_MS }])
  const watch = await aWatch(t)
  const isEnded = () => watch.ended.isEnded({ sessionId, subjectId: newId(NOW_MS), generation: 0 })

  // The refresh had to wait, and read the clock two seconds later than whoever ended the session.
  await watch.lookAt(NOW_MS + 2_000 + ACCESS_MS)
  assert.equal(isEnded(), true)
  await watch.lookAt(NOW_MS + 2 * ACCESS_MS)
  assert.equal(isEnded(), false)
})

test('an end that is committed later than one that is known already is found', async (t) => {
  const [early, late] = [newId(NOW_MS), newId(NOW_MS)]
  const end = (id: string, endedMs: number) =>
    insertEnded(database.platform, [{ kind: 'session', id, generation: 0, endedMs }])
  await end(early, NOW_MS)
  const watch = await aWatch(t)
  const isEnded = (sessionId: string) =>
    watch.ended.isEnded({ sessionId, subjectId: newId(NOW_MS), generation: 0 })

  // Its process read its clock before, or has one that is behind, and its commit had to wait.
  await end(late, NOW_MS - 59_000)
  await watch.lookAt(NOW_MS + 5_000)

  assert.deepEqual([isEnded(early), isEnded(late)], [true, true])
})

/** The first look is over when it is given, and the others are taken when the test says so. */
async function aWatch(t: TestContext) {
  const looks = new EventTarget()
  const told = (name: string) => looks.dispatchEvent(new Event(name))
  let nowMs = NOW_MS
  const bus = {
    ...aBus().connect(),
    async wait(_ms: number, signal: AbortSignal) {
      told('over')
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
      told('next')
      await looked
    },
  }
}
