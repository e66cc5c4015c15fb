import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDraw } from '@continuity/dev/draw'
import { validateXmltv } from '@continuity/dev/validate-xmltv'
import type { ChannelGuide } from './channel-guide.ts'
import { printXmltv } from './print-xmltv.ts'
import { randomGuide } from './testing/random-guide.ts'
import { expectedProgrammes, readProgrammes } from './testing/read-back.ts'

const guides = Array.from({ length: 200 }, (_, seed) => randomGuide(createDraw(seed)))

test('a guide of any text is valid XMLTV', async () => {
  const { status, output } = await validateXmltv(guides.map(printXmltv))

  assert.equal(output, '')
  assert.equal(status, 0)
})

test('a guide with a misplaced, unescaped or unknown element is rejected', async () => {
  const good = printXmltv([aGuide])
  const wrong = [
    good.replace(/( *<title>.*\n)( *<desc>.*\n)/, '$2$1'),
    good.replace('&amp;', '&'),
    good.replace(/<title>.*<\/title>/, '<title>a\u0007</title>'),
    good.replace('<desc>', '<blurb/><desc>'),
    good.replace(/ start="[^"]*"/, ''),
  ]

  const results = await Promise.all(wrong.map((text) => validateXmltv([text])))

  assert.deepEqual(new Set(wrong).size, wrong.length)
  for (const [at, { status }] of results.entries()) assert.notEqual(status, 0, wrong[at])
  assert.equal((await validateXmltv([good])).status, 0)
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
