import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runLine } from './testing/a-world.ts'

const NOW_MS = Date.parse('2026-03-02T00:00:00Z')

test('lists keys without their secrets', async (t) => {
  const env = await aKeyFile(t)

  const { printed } = await runLine('keys list', { env, nowMs: NOW_MS })

  assert.equal(
    printed,
    `  key  state  created                   signs from
  k1   SIGNS  2026-03-01T00:00:00.000Z  2026-03-01T00:01:00.000Z`,
  )
})

test('a rotation adds a key, which signs a minute later', async (t) => {
  const env = await aKeyFile(t)

  const rotated = await runLine('keys rotate', { env, nowMs: NOW_MS })
  const later = await runLine('keys list --json', { env, nowMs: NOW_MS + 60_000 })

  assert.match(rotated.printed, /k1 +SIGNS.*NEXT.*nothing has to be restarted\./s)
  const keys = JSON.parse(later.printed) as { kid: string; state: string }[]
  assert.deepEqual(
    keys.map(({ kid, state }) => `${kid === 'k1' ? 'first' : 'made'} ${state}`),
    ['first RETIRED', 'made SIGNS'],
  )
})

test('no command prints a private key', async (t) => {
  const env = await aKeyFile(t)
  const secret = /MC4CAQAw\S+/.exec(await readFile(env.CREDENTIAL_KEYS_FILE, 'utf8'))?.[0].slice(0, 40) ?? ''

  for (const line of ['keys list', 'keys list --json', 'keys rotate', 'keys rotate --json', 'config']) {
    const { printed } = await runLine(line, { env, nowMs: NOW_MS })
    assert.ok(secret.length > 20 && !printed.includes(secret) && !printed.includes('PRIVATE'), line)
  }
})

test('a file without keys is an error', async (t) => {
  const env = await aKeyFile(t)
  await writeFile(env.CREDENTIAL_KEYS_FILE, 'x')

  const { exitCode, errorOutput } = await runLine('keys rotate', { env, nowMs: NOW_MS })

  assert.equal(exitCode, 1)
  assert.match(errorOutput, /is not of the form/)
})

test('the first feed key signs at once, the next one after ten minutes; nodes get only public keys', async (t) => {
  const folder = await aFolder(t)
  const env = {
    FEED_KEYS_FILE: join(folder, 'feed-keys.json'),
    FEED_PUBLIC_KEYS_FILE: join(folder, 'feed-public-keys.json'),
  }

  const created = await runLine('feed-keys create --json', { env, nowMs: NOW_MS })
  const again = await runLine('feed-keys create', { env, nowMs: NOW_MS })
  const rotated = await runLine('feed-keys rotate', { env, nowMs: NOW_MS + 3_600_000 })
  const later = await runLine('feed-keys list --json', { env, nowMs: NOW_MS + 4_200_000 })

  assert.deepEqual(statesOf(created.printed), ['SIGNS'])
  assert.match(again.errorOutput, /FEED_KEYS_FILE .* exists/)
  assert.match(rotated.printed, /SIGNS.*NEXT.*Copy FEED_PUBLIC_KEYS_FILE to every playout node/s)
  assert.deepEqual(statesOf(later.printed), ['RETIRED', 'SIGNS'])
  const text = await readFile(env.FEED_PUBLIC_KEYS_FILE, 'utf8')
  assert.equal(text.match(/BEGIN PUBLIC KEY/g)?.length, 2)
  assert.ok(!text.includes('PRIVATE'))
})

test('the first key of credentials is created once', async (t) => {
  const env = { CREDENTIAL_KEYS_FILE: join(await aFolder(t), 'credential-keys.json') }

  const created = await runLine('keys create --json', { env, nowMs: NOW_MS })
  const again = await runLine('keys create', { env, nowMs: NOW_MS })

  assert.deepEqual(statesOf(created.printed), ['SIGNS'])
  assert.match(again.errorOutput, /CREDENTIAL_KEYS_FILE .* exists/)
})

const statesOf = (printed: string) => (JSON.parse(printed) as { state: string }[]).map(({ state }) => state)

async function aFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-keys-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

async function aKeyFile(t: TestContext) {
  const path = join(await aFolder(t), 'keys.json')
  const { privateKey } = generateKeyPairSync('ed25519')
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const key = { kid: 'k1', private_key, created_at: '2026-03-01T00:00:00.000Z' }
  await writeFile(path, JSON.stringify({ keys: [key] }), { mode: 0o600 })
  return { CREDENTIAL_KEYS_FILE: path }
}
