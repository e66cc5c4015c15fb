import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { NOW_MS } from '../../http/testing/credentials.ts'
import { assertProblem } from '../../http/testing/wire.ts'
import { lockSource, updateState } from './store.ts'
import { addressOf, aLiveApi, aSource } from './testing/a-live-api.ts'
import type { WireSource } from './wire.ts'

const { api, admin, stranger, accountId, db } = await aLiveApi()

const order = (source: WireSource, what: 'activate' | 'deactivate', user = admin) =>
  user.put<WireSource>(`${addressOf(source)}/${what}`)
const read = async (source: WireSource) => (await admin.get<WireSource>(addressOf(source))).json()
const dueOf = async ({ live_source_id }: WireSource) => {
  const { rows } = await sql<{ readonly due_ms: number }>`
    select due_ms from due_rows where kind = 'live_source' and subject_id = ${live_source_id}`.execute(db)
  return rows[0]?.due_ms
}
/** As a worker brings it into a state. */
const bring = (source: WireSource, state: 'ACTIVE' | 'ERROR') =>
  db.transaction().execute(async (tx) => {
    const locked = await lockSource(tx, accountId, source.live_source_id)
    const detail =
      state === 'ERROR' ? { code: 'source.status', message: 'It answers 404.', atMs: NOW_MS } : null
    await updateState(tx, locked!, { state, detail }, { nowMs: NOW_MS, userId: null })
  })

test('a source that is activated is PROCESSING, and a worker looks at it at once', async () => {
  const source = await aSource(admin)
  assert.equal(await dueOf(source), undefined)

  const answer = await order(source, 'activate')

  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.json().status, 'PROCESSING')
  assert.equal(await dueOf(source), NOW_MS)
  const { rows } = await sql<{ readonly action: string }>`
    select action from audit_entries where subject_id = ${source.live_source_id} order by audit_id`.execute(
    db,
  )
  assert.deepEqual(rows.map(({ action }) => action).toSorted(), [
    'live_source.activate',
    'live_source.create',
  ])
})

test('an order that is given twice changes nothing the second time', async () => {
  const source = await aSource(admin)
  const idle = (await order(source, 'deactivate')).json()
  const first = (await order(source, 'activate')).json()
  const second = (await order(source, 'activate')).json()
  await bring(source, 'ACTIVE')
  const third = (await order(source, 'activate')).json()

  assert.equal(idle.status, 'IDLE')
  assert.deepEqual(second, first)
  assert.equal(third.status, 'ACTIVE')
})

test('deactivating cancels a validation, and ends what is ACTIVE or in ERROR', async () => {
  const validating = await aSource(admin)
  await order(validating, 'activate')
  const [active, broken] = [await aSource(admin), await aSource(admin)]
  await bring(active, 'ACTIVE')
  await bring(broken, 'ERROR')

  for (const source of [validating, active, broken]) {
    const answer = (await order(source, 'deactivate')).json()
    assert.equal(answer.status, 'PROCESSING')
    assert.equal(answer.status_detail, null)
  }
})

test('a source in ERROR can be activated again, and its old reason is gone', async () => {
  const source = await aSource(admin)
  await bring(source, 'ERROR')
  assert.equal((await read(source)).status_detail?.code, 'source.status')

  const answer = (await order(source, 'activate')).json()

  assert.equal(answer.status, 'PROCESSING')
  assert.equal(answer.status_detail, null)
})

test("another account's source is not found, and readers may not switch", async () => {
  const source = await aSource(admin)

  for (const what of ['activate', 'deactivate'] as const) {
    assertProblem(await order(source, what, stranger), 404, 'live_source.not_found')
    assertProblem(await order(source, what, api.userOf(accountId, ['ROLE_USER'])), 403, 'role.missing')
  }
  assert.equal((await order(source, 'activate', api.userOf(accountId, ['ROLE_OPERATOR']))).statusCode, 200)
})
