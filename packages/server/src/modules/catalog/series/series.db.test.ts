import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../../http/testing/wire.ts'
import type { WireSeries } from '../records/wire.ts'
import { aCatalogApi, made, SERIES } from '../testing/a-catalog-api.ts'

const { api, anAccount } = await aCatalogApi()
const { accountId, admin, visitor, db } = await anAccount()
const { admin: otherAdmin } = await anAccount()

const image = {
  width: 640,
  height: 360,
  image_type: 'POSTER',
  original_image_url: 'https://partner.example/a.jpg',
}

test('a series is created with defaults for the omitted fields', async () => {
  const answer = await admin.post<WireSeries>(SERIES, { title: 'Harbour Nights' })

  assert.equal(answer.statusCode, 201, answer.body)
  assert.equal(answer.headers['etag'], '"1"')
  const at = new Date(api.nowMs).toISOString()
  const { series_id } = answer.json()
  // As text, because the order of the fields matters.
  const expected = { series_id, title: 'Harbour Nights', description: '', brand_id: null, images: [] }
  const counted = { season_count: 0, video_count: 0, date_created: at, last_updated: at, status: 'READY' }
  assert.equal(answer.body, JSON.stringify({ ...expected, ...counted }))
})

test('a created series can be read, and a conditional read returns 304', async () => {
  await made(admin, '/api/2.1/brands', { brand_id: 'north', name: 'North' })
  const draft = { title: 'Whole', description: 'All of it.', brand_id: 'north', status: 'DISABLED' }

  const series = await made<WireSeries>(admin, SERIES, { ...draft, images: [image] })
  const read = await admin.get(addressOf(series))
  const again = await admin.get(addressOf(series), { 'if-none-match': '"1"' })

  const { title, description, brand_id, status, images } = series
  assert.deepEqual({ title, description, brand_id, status }, draft)
  assert.deepEqual(images, [{ ...image, image_url: image.original_image_url }])
  assert.deepEqual(read.json(), series)
  assert.equal(again.statusCode, 304)
})

test('a change changes only the fields that it contains', async () => {
  const series = await aSeries({ description: 'Kept.', images: [image] })
  api.nowMs += 1_000

  const answer = await admin.patch<WireSeries>(addressOf(series), { title: 'Other', images: [] })

  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.headers['etag'], '"2"')
  const last_updated = new Date(api.nowMs).toISOString()
  assert.deepEqual(answer.json(), { ...series, title: 'Other', images: [], last_updated })
  assert.deepEqual((await admin.get(addressOf(series))).json(), answer.json())
})

test('a change without a difference keeps the version and is not audited', async () => {
  const series = await aSeries({ images: [image] })
  api.nowMs += 1_000

  const same = { title: series.title, brand_id: null, images: [image], status: 'READY' }
  const answer = await admin.patch(addressOf(series), same)

  assert.equal(answer.headers['etag'], '"1"')
  assert.deepEqual(answer.json(), series)
  assert.deepEqual(
    (await auditOf(series)).map(({ action }) => action),
    ['series.create'],
  )
})

test('a write with an old version is rejected, and nothing changes', async () => {
  const series = await aSeries()
  await admin.patch(addressOf(series), { title: 'Second' }, { 'if-match': '"1"' })

  const change = await admin.patch(addressOf(series), { title: 'Third' }, { 'if-match': '"1"' })
  const removal = await admin.delete(addressOf(series), { 'if-match': '"1"' })

  assertProblem(change, 412, 'record.changed')
  assertProblem(removal, 412, 'record.changed')
  assert.equal((await admin.get<WireSeries>(addressOf(series))).json().title, 'Second')
})

test('of two concurrent changes of the same version one is rejected', async () => {
  const series = await aSeries()

  for (let version = 1; version <= 20; version += 1) {
    const change = (title: string) =>
      admin.patch(addressOf(series), { title }, { 'if-match': `"${version}"` })
    const answers = await Promise.all([change(`left ${version}`), change(`right ${version}`)])

    const [done, rejected] = answers.toSorted((a, b) => a.statusCode - b.statusCode)
    assert.equal(done?.statusCode, 200)
    assertProblem(rejected!, 412, 'record.changed')
  }
})

test('an unknown brand is rejected with the field that references it', async () => {
  await made(admin, '/api/2.1/brands', { brand_id: 'gone', name: 'Gone' })
  await made(otherAdmin, '/api/2.1/brands', { brand_id: 'theirs', name: 'Theirs' })
  const series = await aSeries()
  await admin.delete('/api/2.1/brands/gone')

  for (const brand_id of ['gone', 'theirs', 'never']) {
    const created = await admin.post(SERIES, { title: 'X', brand_id })
    const changed = await admin.patch(addressOf(series), { brand_id })
    for (const answer of [created, changed]) {
      const { errors } = assertProblem(answer, 422, 'brand.unknown')
      assert.deepEqual(
        errors?.map(({ pointer }) => pointer),
        ['/brand_id'],
      )
    }
  }
})

test('a series keeps a deleted brand until it is given another', async () => {
  await made(admin, '/api/2.1/brands', { brand_id: 'kept', name: 'Kept' })
  const series = await aSeries({ brand_id: 'kept' })
  await admin.delete('/api/2.1/brands/kept')

  const changed = await admin.patch<WireSeries>(addressOf(series), { title: 'New', brand_id: 'kept' })
  const without = await admin.patch<WireSeries>(addressOf(series), { brand_id: null })

  assert.equal(changed.json().brand_id, 'kept')
  assert.equal(without.json().brand_id, null)
})

test('a deleted series is not found, and a series with videos cannot be deleted', async () => {
  const [empty, full] = [await aSeries(), await aSeries()]
  await sql`update series set video_count = 2 where series_id = ${full.series_id}`.execute(db)

  const removed = await admin.delete(addressOf(empty), { 'if-match': '"1"' })
  const rejected = await admin.delete(addressOf(full))

  assert.equal(removed.statusCode, 204)
  assertProblem(await admin.get(addressOf(empty)), 404, 'series.not_found')
  assert.match(assertProblem(rejected, 409, 'record.in_use').detail, /2 videos/)
  assert.equal((await admin.get(addressOf(full))).statusCode, 200)
})

test("another account's series, a deleted one and text that is not an id are not found by any operation", async () => {
  const series = await aSeries()
  const deleted = await aSeries()
  await admin.delete(addressOf(deleted))

  for (const [user, address] of [
    [otherAdmin, addressOf(series)],
    [admin, addressOf(deleted)],
    [admin, `${SERIES}/${randomUUID()}`],
    [admin, `${SERIES}/no-id`],
    [admin, `${SERIES}/${series.series_id.toUpperCase()}`],
  ] as const) {
    assertProblem(await user.get(address), 404, 'series.not_found')
    assertProblem(await user.patch(address, { title: 'Mine' }), 404, 'series.not_found')
    assertProblem(await user.delete(address), 404, 'series.not_found')
  }
  assert.deepEqual((await admin.get(addressOf(series))).json(), series)
})

test('every role may read series, and only an administrator may write them', async () => {
  const series = await aSeries()

  assert.equal((await visitor.get(SERIES)).statusCode, 200)
  assert.equal((await visitor.get(addressOf(series))).statusCode, 200)
  const operator = api.userOf(accountId, ['ROLE_OPERATOR', 'ROLE_USER', 'SCHEDULE'])
  assertProblem(await operator.post(SERIES, { title: 'X' }), 403, 'role.missing')
  assertProblem(await operator.patch(addressOf(series), { title: 'X' }), 403, 'role.missing')
  assertProblem(await operator.delete(addressOf(series)), 403, 'role.missing')
})

test('two concurrent requests with one idempotency key create one series', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const draft = { title: 'Once' }

  const [one, two] = await Promise.all([admin.post(SERIES, draft, key), admin.post(SERIES, draft, key)])

  assert.equal(one.statusCode, 201, one.body)
  assert.equal(one.body, two.body)
})

test('every write is audited with the wire format of the record', async () => {
  const series = await aSeries()
  const changed = (await admin.patch(addressOf(series), { title: 'After' })).json()
  await admin.delete(addressOf(series))

  const entries = await auditOf(series)

  const common = { subject_type: 'series', user_id: admin.userId }
  assert.deepEqual(entries, [
    { ...common, action: 'series.create', before: null, after: series },
    { ...common, action: 'series.change', before: series, after: changed },
    { ...common, action: 'series.delete', before: changed, after: null },
  ])
})

test('text is returned as it was sent, whatever its characters', async () => {
  const title = `Ärger's "Nord" \\ {1,2} %_ \u{1f4fa} \u2028 <b>`

  const series = await aSeries({ title, description: 'line\nline\ttab' })

  assert.equal(series.title, title)
  assert.deepEqual((await admin.get(addressOf(series))).json(), series)
})

const aSeries = (draft: object = {}) => made<WireSeries>(admin, SERIES, { title: 'Harbour Nights', ...draft })

function addressOf({ series_id }: WireSeries): string {
  return `${SERIES}/${series_id}`
}

interface Entry {
  readonly action: string
}

async function auditOf({ series_id }: WireSeries): Promise<readonly Entry[]> {
  const { rows } = await sql<Entry>`
    select action, subject_type, before, after, user_id from audit_entries where subject_id = ${series_id}
     order by (before is not null), (after is null)`.execute(db)
  return rows
}
