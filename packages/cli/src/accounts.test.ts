import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, runLine } from './testing/a-world.ts'

test('creates an account with the given options and the defaults of the platform for the rest', async () => {
  const createAccount = () => Promise.resolve(anAccount)

  const { calls } = await runLine('accounts create north --country de --frame-rate 25', {
    actions: { createAccount },
  })

  const [created, closed] = calls
  assert.deepEqual(created, [
    'createAccount',
    { account_name: 'north', title: undefined, country: 'DE', frame_rate: 25, segment_ms: undefined },
  ])
  assert.deepEqual(closed, ['close'])
})

test('an account is shown field by field', async () => {
  const { printed, exitCode } = await runLine('accounts show north', {
    actions: { getAccount: () => Promise.resolve(anAccount) },
  })

  assert.equal(exitCode, 0)
  assert.equal(
    printed,
    `  account     north
  id          0195c1de-6f00-7a10-8000-000000008001
  title       North Television
  country     DE
  frame rate  30
  segment     3200 ms
  loudness    -23 LUFS
  format      open until the first asset
  created     2026-03-01T18:00:00.000Z`,
  )
})

test('accounts are listed as a table', async () => {
  const listAccounts = () =>
    Promise.resolve([
      anAccount,
      { ...anAccount, account_name: 'southern', frame_rate: 25 as const, title: 'South' },
    ])

  const { printed } = await runLine('accounts list', { actions: { listAccounts } })

  assert.equal(
    printed,
    `  account   title             country  format           created
  north     North Television  DE       30 fps, 3200 ms  2026-03-01T18:00:00.000Z
  southern  South             DE       25 fps, 3200 ms  2026-03-01T18:00:00.000Z`,
  )
})

test('--json prints the records in the format of the API', async () => {
  const { printed } = await runLine('accounts list --json', {
    actions: { listAccounts: () => Promise.resolve([anAccount]) },
  })

  assert.deepEqual(JSON.parse(printed), [anAccount])
})

test('without accounts, the text explains how to create one and --json prints an empty list', async () => {
  const actions = { listAccounts: () => Promise.resolve([]) }

  const forPeople = await runLine('accounts list', { actions })
  const forScripts = await runLine('accounts list --json', { actions })

  assert.match(forPeople.printed, /continuity accounts create/)
  assert.deepEqual(JSON.parse(forScripts.printed), [])
})

test('an invalid value is rejected before the platform is called', async () => {
  const faults = {
    '--segment-ms 5000': /--segment-ms must be 3200 or 6400, not "5000"\./,
    '--frame-rate 29.97': /--frame-rate must be 25 or 30, not "29\.97"\./,
    '--country Germany': /--country must be two letters such as DE, not "Germany"\./,
    [`--title ${'x'.repeat(256)}`]: /--title must have 1 to 255 characters\./,
  }
  for (const [options, message] of Object.entries(faults)) {
    const { exitCode, errorOutput, calls } = await runLine(`accounts create north ${options}`)

    assert.equal(exitCode, 2)
    assert.match(errorOutput, message)
    assert.deepEqual(calls, [])
  }
})

test('control characters are replaced', async () => {
  const title = '\u001b[2JNorth\nRoot'

  const { printed } = await runLine('accounts show north', {
    actions: { getAccount: () => Promise.resolve({ ...anAccount, title }) },
  })

  assert.match(printed, /title {7}□\[2JNorth□Root/)
})
