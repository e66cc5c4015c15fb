import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandList } from './command-list.ts'
import { anAccount, runLine } from './testing/a-world.ts'

const north = { getAccount: () => Promise.resolve(anAccount) }

test('without a command, and with help, all commands are told', async () => {
  for (const line of ['', 'help', '--help']) {
    const { exitCode, printed } = await runLine(line)

    assert.equal(exitCode, 0)
    for (const { name, about } of commandList)
      assert.ok(printed.includes(name) && printed.includes(about), name)
  }
})

test('every command has a help of its own, by both ways to ask for it', async () => {
  for (const { name, options } of commandList) {
    const asked = await runLine(`help ${name}`)
    const flagged = await runLine(`${name} --help`)

    assert.equal(asked.exitCode, 0)
    assert.equal(flagged.printed, asked.printed)
    for (const option of Object.keys(options)) assert.ok(asked.printed.includes(`--${option}`), name)
  }
})

test('the help of a command says what it takes', async () => {
  const { printed } = await runLine('help app-keys create')

  assert.equal(
    printed,
    `Usage: continuity app-keys create --account NAME --app-name APP

Make a key that an app registers its devices with

  --account NAME  account of the app; required
  --app-name APP  name of the app; several keys may carry it; required
  --json          the result as JSON, for scripts`,
  )
})

test('a group alone tells its commands', async () => {
  const asked = await runLine('help users')
  const alone = await runLine('users')
  const mistyped = await runLine('users remove')

  assert.equal(asked.exitCode, 0)
  assert.match(asked.printed, /users disable --account NAME --email EMAIL/)
  for (const { exitCode, complained } of [alone, mistyped]) {
    assert.equal(exitCode, 2)
    assert.match(complained, /users disable/)
  }
})

test('what was mistyped is named, with the way to the help', async () => {
  const faults = {
    'acounts list': /no command "acounts"\.\nSee "continuity help"/,
    'help acounts': /no command "acounts"/,
    'accounts show': /NAME is missing\.\nSee "continuity help accounts show"\./,
    'accounts show north south': /"south" is too much\./,
    'accounts list north': /"north" is too much\./,
    'accounts list --al': /Unknown option '--al'\.\nSee/,
    'users list': /--account is missing\./,
    'users create --roles SCHEDULE': /--account and --email are missing\./,
    'users list --account': /argument missing/,
  }
  for (const [line, words] of Object.entries(faults)) {
    const { exitCode, complained, printed } = await runLine(line)

    assert.equal(exitCode, 2, line)
    assert.match(complained, words)
    assert.equal(printed, '')
  }
})

test('the connection is closed, also when the action fails', async () => {
  const actions = { getAccount: () => Promise.reject(new Error('no')) }

  const { exitCode, asked } = await runLine('accounts show north', { actions })

  assert.equal(exitCode, 1)
  assert.deepEqual(asked.at(-1), ['close'])
})

test('nothing but the result is on standard output', async () => {
  const { printed, complained } = await runLine('accounts show north --json', { actions: north })

  assert.deepEqual(JSON.parse(printed), anAccount)
  assert.equal(complained, '')
})
