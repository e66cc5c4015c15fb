import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/crypto/ids.ts'
import { replaceRulePrograms } from './index.ts'
import { listPrograms } from './program-store.ts'
import { aScheduleApi, type ScheduleAccount, videoItem } from './testing/a-schedule-api.ts'

const { api, anAccount, aVideo, place, sweep } = await aScheduleApi()
const HOUR_MS = 3_600_000
const basis = {
  track: 'main',
  order: 'SHUFFLE',
  occurrence: null,
  position: null,
  breaks: [],
  interstitials: [],
} as const

async function aRuledChannel() {
  const account = await anAccount()
  const video = await aVideo(account, 600)
  const items = [videoItem(video, 600)]
  const baseMs = api.nowMs + 48 * HOUR_MS
  /** A program of an hour of the day after tomorrow. */
  const program = (hour: number, title = `Hour ${hour}`) => ({
    programId: newId(api.nowMs),
    rule: { id: 'films', reason: 'shuffled', video_id: video.videoId, basis },
    title,
    description: '',
    details: {},
    startMs: baseMs + hour * HOUR_MS,
    endMs: baseMs + (hour + 1) * HOUR_MS,
    items,
  })
  const actor = () => ({ accountId: account.accountId, userId: null, requestId: null, nowMs: api.nowMs })
  const replace = (programs: readonly ReturnType<typeof program>[], fromMs = baseMs, isKilled = false) =>
    account.db.transaction().execute(async (tx) => {
      const changes = await replaceRulePrograms(tx, actor(), account, fromMs, programs)
      if (isKilled) throw new Error('killed')
      return changes
    })
  return { account, items, baseMs, program, replace }
}

const titlesOf = async (account: ScheduleAccount) =>
  (await listPrograms(account.db, account, 0, Number.MAX_SAFE_INTEGER)).map(({ title }) => title)

test('programs of rules are replaced as a whole, those that stay as they are keep their ids', async () => {
  const { account, program, replace } = await aRuledChannel()
  const [first, second, third] = [program(0), program(1), program(2)]
  await replace([first, second, third])

  const again = await replace([program(0), program(1, 'Other'), program(3)])

  assert.deepEqual(await titlesOf(account), ['Hour 0', 'Other', 'Hour 3'])
  assert.deepEqual(again.removedIds.toSorted(), [second.programId, third.programId].toSorted())
  const [kept] = await listPrograms(account.db, account, 0, Number.MAX_SAFE_INTEGER)
  assert.deepEqual([kept?.programId, kept?.origin, kept?.rule?.id], [first.programId, 'RULE', 'films'])
})

test('programs of partners and operators stay, and rules give way to them', async () => {
  const { account, items, program, baseMs, replace } = await aRuledChannel()
  const window = { startMs: baseMs + HOUR_MS / 2, endMs: baseMs + HOUR_MS, items }
  await place(account, { ...window, title: 'Operator', origin: 'OPERATOR' })

  const { skipped, placed } = await replace([program(0), program(1)])

  assert.deepEqual([skipped.length, placed.length], [1, 1])
  assert.deepEqual(await titlesOf(account), ['Operator', 'Hour 1'])
})

test('what is committed, or before the given time, is not replaced', async () => {
  const { account, program, replace, baseMs } = await aRuledChannel()
  await replace([program(0), program(1), program(30)])
  await account.admin.put(`/api/2.3/linear_channels/${account.channelId}/start`)
  await sweep()
  api.nowMs = baseMs - 20 * HOUR_MS
  await sweep()

  const changes = await replace([program(1, 'Too early'), program(31)], 0)

  assert.deepEqual(
    changes.skipped.map(({ title }) => title),
    ['Too early'],
  )
  assert.deepEqual(await titlesOf(account), ['Hour 0', 'Hour 1', 'Hour 31'])
  await replace([], baseMs + 32 * HOUR_MS)
  assert.deepEqual(await titlesOf(account), ['Hour 0', 'Hour 1', 'Hour 31'])
})

test('time that is committed and has no program yet can be planned', async () => {
  const { account, program, replace, baseMs } = await aRuledChannel()
  await replace([program(0), program(1)])
  await account.admin.put(`/api/2.3/linear_channels/${account.channelId}/start`)
  await sweep()
  api.nowMs = baseMs - 20 * HOUR_MS
  await sweep()

  const { placed } = await replace([program(0, 'Too early'), program(2), program(3)], 0)

  assert.deepEqual(
    placed.map(({ title }) => title),
    ['Hour 2', 'Hour 3'],
  )
  assert.deepEqual(await titlesOf(account), ['Hour 0', 'Hour 1', 'Hour 2', 'Hour 3'])
})

test('a replacement that is killed leaves the programs as they were', async () => {
  const { account, program, replace } = await aRuledChannel()
  await replace([program(0), program(1)])
  await assert.rejects(replace([program(0, 'Other')], undefined, true), /killed/)
  assert.deepEqual(await titlesOf(account), ['Hour 0', 'Hour 1'])
})
