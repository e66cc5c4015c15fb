import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { operations } from '@continuity/contract'
import { aService } from '../testing/a-service.ts'
import { runLine } from '../testing/a-world.ts'

const folder = await mkdtemp(join(tmpdir(), 'continuity-catalog-'))
after(() => rm(folder, { recursive: true }))
const file = join(folder, 'catalog.ndjson')
await writeFile(file, '{}\n')

const who = '--url http://127.0.0.1:1 --account north --email a@north.example'

test('an invalid option is reported before anything is requested', async () => {
  const faults = {
    [`catalog import ${file}`]: /--url or CONTINUITY_URL is missing\.\nSee "continuity help catalog import"/,
    [`catalog import ${file} ${who}`]: /--password-stdin or CONTINUITY_PASSWORD is missing/,
    [`catalog import videos.xml ${who}`]: /--source-id is missing/,
    [`catalog import ${file} --source-id x ${who}`]: /--source-id is for MRSS/,
    [`catalog import ${file} --format csv ${who}`]: /--format must be ndjson or mrss, not "csv"/,
    [`catalog import ${file} --at-once 0 ${who}`]: /--at-once must be a whole number from 1 to 64/,
    [`catalog import ${file} --url ftp://x`]: /--url must be an http or https address/,
    [`catalog export - --json ${who}`]: /--json needs a file/,
    [`catalog export ${file} --what brands ${who}`]: /--what must be videos or series or all/,
  }
  for (const [line, message] of Object.entries(faults)) {
    const { exitCode, errorOutput } = await runLine(line)

    assert.equal(exitCode, 2, line)
    assert.match(errorOutput, message)
  }
})

test('a missing file is reported before the password is read', async () => {
  const { exitCode, errorOutput } = await runLine(`catalog import ${folder}/none.ndjson ${who}`)

  assert.equal(exitCode, 1)
  assert.match(errorOutput, /There is no file .*none\.ndjson/)
})

test('environment variables replace options, and no error message contains the password', async () => {
  const env = {
    CONTINUITY_URL: 'http://127.0.0.1:1',
    CONTINUITY_ACCOUNT: 'north',
    CONTINUITY_EMAIL: 'a@north.example',
    CONTINUITY_PASSWORD: 'tide-table-7',
  }

  const { exitCode, errorOutput } = await runLine(`catalog import ${file}`, { env })

  assert.equal(exitCode, 1)
  assert.match(errorOutput, /No answer to POST http:\/\/127\.0\.0\.1:1\//)
  assert.doesNotMatch(errorOutput, /tide-table/)
})

test('videos are found with the ids that schedule files refer to', async (t) => {
  const { answer } = operations.searchVideos.example
  const [video] = answer.hits as readonly { readonly video_id: string }[]
  const { env, requests } = await aService(t, { 'POST /api/2.1/search/videos': { ...answer, total: 3 } })

  const { exitCode, printed } = await runLine('catalog find tide', { env })

  assert.equal(exitCode, 0)
  assert.deepEqual(requests.at(-1), ['POST /api/2.1/search/videos', { query: 'tide' }])
  assert.match(
    printed,
    new RegExp(`^ {2}${video!.video_id} +READY +00:24:00 +Harbour Nights: The Tide Table$`, 'm'),
  )
  assert.match(printed, /^ {2}and 2 more$/m)
})

test('a search without a match is reported', async (t) => {
  const { answer } = operations.searchVideos.example
  const { env } = await aService(t, { 'POST /api/2.1/search/videos': { ...answer, hits: [], total: 0 } })

  const { exitCode, printed } = await runLine('catalog find tide', { env })

  assert.deepEqual([exitCode, printed.trim()], [0, 'No video matches.'])
})
