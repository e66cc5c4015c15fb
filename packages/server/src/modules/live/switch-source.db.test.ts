import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { NOW_MS } from '../../http/testing/credentials.ts'
import { assertProblem } from '../../http/testing/wire.ts'
import { lockSource, updateState } from './store.ts'
import { addressOf, aLiveApi, aSource } from './testing/a-live-api.ts'
import type { WireSource } from './wire.ts'

const { api, admin, otherAdmin, accountId, db } = await aLiveApi()

const command = (source: WireSource, what: 'activate' | 'deactivate', user = admin) =>
  user.put<WireSource>(`${addressOf(source)}/${what}`)
const read = async (source: WireSource) => (await admin.get<WireSource>(addressOf(source))).json()
const dueOf = async ({ live_source_id }: WireSource) => {
  const { rows } = await sql<{ readonly due_ms: number }>`
    select due_ms from due_rows where kind = 'live_source' and subject_id = ${live_source_id}`.execute(db)
  return rows[0]?.due_ms
}
/** Sets a state, as a worker does. */
const setState = (source: WireSource, state: 'ACTIVE' | 'ERROR') =>
  db.transaction().execute(async (tx) => {
    const locked = await lockSource(tx, accountId, source.live_source_id)
    const detail =
      state === 'ERROR' ? { code: 'source.status', message: 'It answers 404.', atMs: NOW_MS } : null
    await updateState(tx, locked!, { state, detail }, { nowMs: NOW_MS, userId: null })
  })

test('activating makes a source PROCESSING and due immediately', async () => {
  const source = await aSource(admin)
  assert.equal(await dueOf(source), undefined)

  const answer = await command(source, 'activate')

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

test('activate and deactivate are idempotent', async () => {
  const source = await aSource(admin)
  const idle = (await command(source, 'deactivate')).json()
  const first = (await command(source, 'activate')).json()
  const second = (await command(source, 'activate')).json()
  await setState(source, 'ACTIVE')
  const third = (await command(source, 'activate')).json()

  assert.equal(idle.status, 'IDLE')
  assert.deepEqual(second, first)
  assert.equal(third.status, 'ACTIVE')
})

test('deactivate cancels a validation, and stops a source that is ACTIVE or in ERROR', async () => {
  const validating = await aSource(admin)
  await command(validating, 'activate')
  const [active, broken] = [await aSource(admin), await aSource(admin)]
  await setState(active, 'ACTIVE')
  await setState(broken, 'ERROR')

  for (const source of [validating, active, broken]) {
    const answer = (await command(source, 'deactivate')).json()
    assert.equal(answer.status, 'PROCESSING')
    assert.equal(answer.status_detail, null)
  }
})

test('a source in ERROR can be activated again, which clears the reason', async () => {
  const source = await aSource(admin)
  await setState(source, 'ERROR')
  assert.equal((await read(source)).status_detail?.code, 'source.status')

  const answer = (await command(source, 'activate')).json()

  assert.equal(answer.status, 'PROCESSING')
  assert.equal(answer.status_detail, null)
})

test("another account's source is not found, and ROLE_USER may not switch", async () => {
  const source = await aSource(admin)

  for (const what of ['activate', 'deactivate'] as const) {
    assertProblem(await command(source, what, otherAdmin), 404, 'live_source.not_found')
    assertProblem(await command(source, what, api.userOf(accountId, ['ROLE_USER'])), 403, 'role.missing')
  }
  assert.equal((await command(source, 'activate', api.userOf(accountId, ['ROLE_OPERATOR']))).statusCode, 200)
})
