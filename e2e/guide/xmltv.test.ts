import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ChannelGuide } from '@continuity/core/guide/channel-guide'
import { printXmltv } from '@continuity/core/guide/print-xmltv'
import { createDraw } from '../draw.ts'
import { randomGuide } from './random-guide.ts'
import { expectedProgrammes, readProgrammes } from './read-back.ts'

const guides = Array.from({ length: 200 }, (_, seed) => randomGuide(createDraw(seed)))

test('a guide of any text is valid XMLTV', async (t) => {
  const { status, output } = await validate(t, guides.map(printXmltv))

  assert.equal(output, '')
  assert.equal(status, 0)
})

test('a guide with a misplaced, unescaped or unknown element is rejected', async (t) => {
  const good = printXmltv([aGuide])
  const wrong = [
    good.replace(/( *<title>.*\n)( *<desc>.*\n)/, '$2$1'),
    good.replace('&amp;', '&'),
    good.replace(/<title>.*<\/title>/, '<title>a\u0007</title>'),
    good.replace('<desc>', '<blurb/><desc>'),
    good.replace(/ start="[^"]*"/, ''),
  ]

  const results = await Promise.all(wrong.map((text) => validate(t, [text])))

  assert.deepEqual(new Set(wrong).size, wrong.length)
  for (const [at, { status }] of results.entries()) assert.notEqual(status, 0, wrong[at])
  assert.equal((await validate(t, [good])).status, 0)
})

test('another parser reads the programs that were printed', () => {
  for (const [seed, guide] of guides.entries())
    assert.deepEqual(readProgrammes(printXmltv(guide)), expectedProgrammes(guide), `seed ${seed}`)
})

const startMs = Date.UTC(2026, 10, 15, 18)
const aGuide: ChannelGuide = {
  id: 'c1',
  names: ['North One'],
  entries: [
    {
      program: {
        id: 'p1',
        title: 'Wind & tide',
        description: 'No one sleeps.',
        startMs,
        endMs: startMs + 60_000,
      },
      startMs,
      endMs: startMs + 60_000,
    },
  ],
}

/** The output of xmllint with our copy of the DTD: empty if all texts are valid. */
async function validate(t: { after(fn: () => Promise<void>): void }, texts: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'guide-'))
  t.after(() => rm(folder, { recursive: true }))
  const files = await Promise.all(
    texts.map(async (text, at) => {
      const file = join(folder, `${at}.xml`)
      await writeFile(file, text)
      return file
    }),
  )
  const dtd = fileURLToPath(new URL('xmltv.dtd', import.meta.url))
  return new Promise<{ status: unknown; output: string }>((resolve) => {
    const args = ['--nonet', '--noout', '--dtdvalid', dtd, ...files]
    execFile('xmllint', args, { timeout: 60_000, maxBuffer: 64_000_000 }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, output: `${stdout}${stderr}`.slice(0, 2_000) }),
    )
  })
}
