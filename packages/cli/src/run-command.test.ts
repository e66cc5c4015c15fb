import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandList } from './command-list.ts'
import { anAccount, runLine } from './testing/a-world.ts'

const north = { getAccount: () => Promise.resolve(anAccount) }

test('without a command, and with help, lists all commands', async () => {
  for (const line of ['', 'help', '--help']) {
    const { exitCode, printed } = await runLine(line)

    assert.equal(exitCode, 0)
    for (const { name, about } of commandList)
      assert.ok(printed.includes(name) && printed.includes(about), name)
  }
})

test('every command has its own help, by "help COMMAND" and by --help', async () => {
  for (const { name, options } of commandList) {
    const help = await runLine(`help ${name}`)
    const flagged = await runLine(`${name} --help`)

    assert.equal(help.exitCode, 0)
    assert.equal(flagged.printed, help.printed)
    for (const option of Object.keys(options)) assert.ok(help.printed.includes(`--${option}`), name)
  }
})

test('the help of a command lists its options', async () => {
  const { printed } = await runLine('help app-keys create')

  assert.equal(
    printed,
    `Usage: continuity app-keys create --account NAME --app-name APP

Create a key that an app registers its devices with

  --account NAME  account of the app; required
  --app-name APP  name of the app; several keys may have the same; required
  --json          the result as JSON, for scripts`,
  )
})

test('the name of a group lists its commands', async () => {
  const help = await runLine('help users')
  const alone = await runLine('users')
  const mistyped = await runLine('users remove')

  assert.equal(help.exitCode, 0)
  assert.match(help.printed, /users disable --account NAME --email EMAIL/)
  for (const { exitCode, errorOutput } of [alone, mistyped]) {
    assert.equal(exitCode, 2)
    assert.match(errorOutput, /users disable/)
  }
})

test('an invalid command line is reported with a hint to the help', async () => {
  const faults = {
    'acounts list': /no command "acounts"\.\nSee "continuity help"/,
    'help acounts': /no command "acounts"/,
    'accounts show': /NAME is missing\.\nSee "continuity help accounts show"\./,
    'accounts show north south': /Unexpected argument "south"\./,
    'accounts list north': /Unexpected argument "north"\./,
    'plan set one': /FILE is missing\.\nSee "continuity help plan set"\./,
    'plan set one two three': /Unexpected argument "three"\./,
    'plan preview': /CHANNEL_ID is missing\./,
    'plan preview one two three': /Unexpected argument "three"\./,
    'accounts list --al': /Unknown option '--al'\.\nSee/,
    'users list': /--account is missing\./,
    'users create --roles SCHEDULE': /--account and --email are missing\./,
    'users list --account': /argument missing/,
  }
  for (const [line, message] of Object.entries(faults)) {
    const { exitCode, errorOutput, printed } = await runLine(line)

    assert.equal(exitCode, 2, line)
    assert.match(errorOutput, message)
    assert.equal(printed, '')
  }
})

test('the connection is closed even if the action fails', async () => {
  const actions = { getAccount: () => Promise.reject(new Error('no')) }

  const { exitCode, calls } = await runLine('accounts show north', { actions })

  assert.equal(exitCode, 1)
  assert.deepEqual(calls.at(-1), ['close'])
})

test('only the result is printed to standard output', async () => {
  const { printed, errorOutput } = await runLine('accounts show north --json', { actions: north })

  assert.deepEqual(JSON.parse(printed), anAccount)
  assert.equal(errorOutput, '')
})

test('the version is that of the package', async () => {
  const plain = await runLine('--version')
  const json = await runLine('--version --json')

  assert.match(plain.printed, /^\d+\.\d+\.\d+$/)
  assert.deepEqual(JSON.parse(json.printed), { version: plain.printed, node: process.versions.node })
})

test('the help is available as JSON', async () => {
  const all = await runLine('help --json')
  const one = await runLine('help app-keys create --json')

  assert.equal((JSON.parse(all.printed) as unknown[]).length, commandList.length)
  const [command] = JSON.parse(one.printed) as {
    name: string
    options: { name: string; is_required: boolean }[]
  }[]
  assert.equal(command?.name, 'app-keys create')
  assert.deepEqual(command?.options.find(({ name }) => name === 'app-name')?.is_required, true)
})
