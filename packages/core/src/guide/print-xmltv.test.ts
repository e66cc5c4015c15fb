import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Program, ProgramDetails } from '../timeline/span.ts'
import type { ChannelGuide } from './channel-guide.ts'
import type { GuideEntry } from './guide-entry.ts'
import { printXmltv, xmltvChunks } from './print-xmltv.ts'

const START = Date.UTC(2026, 10, 15, 18)

const anEntry = (program: Partial<Program> = {}, times: Partial<GuideEntry> = {}): GuideEntry => ({
  program: { id: 'p1', title: 'News', description: '', startMs: START, endMs: START + 1_800_000, ...program },
  startMs: START,
  endMs: START + 1_800_000,
  ...times,
})

const aChannel = (fields: Partial<ChannelGuide> = {}): ChannelGuide => ({
  id: 'c1',
  names: ['North One'],
  entries: [],
  ...fields,
})

/** The lines of a program with these details, without those that every program has. */
const linesOf = (program: Partial<Program>): string[] =>
  printXmltv([aChannel({ entries: [anEntry(program)] })])
    .split('\n')
    .slice(6, -3)
    .filter((line) => !line.includes('<length'))
    .map((line) => line.trim())

const detailLines = (details: ProgramDetails): string[] => linesOf({ details }).slice(1)

test('a program has all its details, in the order of the DTD', () => {
  const details: ProgramDetails = {
    seriesTitle: 'Tales of the Port',
    episodeTitle: 'Low tide',
    seasonNumber: 1,
    episodeNumber: 2,
    genres: ['Drama', 'Sea'],
    imageUrl: 'https://north.example/a.jpg?w=1&h=2',
    parentalRating: 'PG',
    language: 'de',
  }
  const entry = anEntry({ description: 'Sailors wake.\nSo do the ships.', details })

  const printed = printXmltv([aChannel({ iconUrl: 'https://north.example/logo.png', entries: [entry] })])

  assert.equal(
    printed,
    `<?xml version="1.0" encoding="UTF-8"?>
<tv generator-info-name="continuity">
<channel id="c1">
  <display-name>North One</display-name>
  <icon src="https://north.example/logo.png"/>
</channel>
<programme start="20261115180000 +0000" stop="20261115183000 +0000" channel="c1">
  <title>News</title>
  <sub-title>Low tide</sub-title>
  <desc>Sailors wake.
So do the ships.</desc>
  <category>Drama</category>
  <category>Sea</category>
  <language>de</language>
  <length units="seconds">1800</length>
  <icon src="https://north.example/a.jpg?w=1&amp;h=2"/>
  <episode-num system="xmltv_ns">0.1.</episode-num>
  <episode-num system="onscreen">S01E02</episode-num>
  <rating><value>PG</value></rating>
  <image>https://north.example/a.jpg?w=1&amp;h=2</image>
</programme>
</tv>
`,
  )
})

test('all channels precede the first program, and each has its own programs', () => {
  const channels = ['c1', 'c2'].map((id) => aChannel({ id, entries: [anEntry({ title: `of ${id}` })] }))

  const printed = printXmltv(channels).match(/<channel id="\w+|channel="\w+|<title>[^<]+/g)

  assert.deepEqual(printed, [
    '<channel id="c1',
    '<channel id="c2',
    'channel="c1',
    '<title>of c1',
    'channel="c2',
    '<title>of c2',
  ])
})

test('missing or blank values have no element', () => {
  const blank = ' \t\u0000\n'

  assert.deepEqual(linesOf({ description: blank }), ['<title>News</title>'])
  assert.deepEqual(
    detailLines({
      episodeTitle: blank,
      genres: [blank],
      imageUrl: blank,
      parentalRating: '',
      language: blank,
    }),
    [],
  )
})

test('a program without a title has the name of its channel, and a channel without a name has its id', () => {
  const entries = [anEntry({ title: ' \u0007 ' })]

  assert.match(printXmltv([aChannel({ names: ['', 'Two'], entries })]), /<title>Two</)
  const nameless = printXmltv([aChannel({ names: ['\n'], entries })])
  assert.match(nameless, /<display-name>c1</)
  assert.match(nameless, /<title>c1</)
})

test('an episode is numbered as far as its number is known', () => {
  const numbersOf = (seasonNumber?: number, episodeNumber?: number) =>
    detailLines({
      ...(seasonNumber === undefined ? {} : { seasonNumber }),
      ...(episodeNumber === undefined ? {} : { episodeNumber }),
    }).map((line) => line.replace(/^<episode-num system="(.+)">(.+)<.*$/, '$1 $2'))

  assert.deepEqual(numbersOf(12, 104), ['xmltv_ns 11.103.', 'onscreen S12E104'])
  assert.deepEqual(numbersOf(3), ['xmltv_ns 2..', 'onscreen S03'])
  assert.deepEqual(numbersOf(undefined, 7), ['xmltv_ns .6.', 'onscreen E07'])
  assert.deepEqual(numbersOf(0, 7), ['xmltv_ns .6.', 'onscreen S00E07'])
  assert.deepEqual(numbersOf(0), ['onscreen S00'])
  assert.deepEqual(numbersOf(), [])
})

test('no text can end its element, or contain anything that XML forbids', () => {
  const title = `a<b> & "c" 'd' ]]> \u0000\u001b\ufffe\uffff\ud800|\udc00 😀 \u202eשלום\r\ntwo\u2028\u0085three`

  assert.deepEqual(linesOf({ title }), [
    '<title>a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; ]]&gt; | 😀 \u202eשלום two three</title>',
  ])
  assert.match(printXmltv([aChannel({ id: '"><x' })]), /<channel id="&quot;&gt;&lt;x">/)
})

test('times are whole seconds that neighbours share, and shorter airings are omitted', () => {
  const edges = [START, START + 5_999, START + 6_000, START + 6_400, START + 9_000]
  const entries = edges.slice(1).map((endMs, at) => anEntry({}, { startMs: edges[at]!, endMs }))

  const printed = printXmltv([aChannel({ entries })])

  const matches = printed.matchAll(/start="\d{12}(\d\d) \+0000" stop="\d{12}(\d\d) [\s\S]*?seconds">(\d+)/g)
  assert.deepEqual(
    [...matches].map(([, start, stop, length]) => `${start}-${stop} ${length}`),
    ['00-05 5', '05-06 1', '06-09 3'],
  )
})

test('a guide is printed in chunks, one for each program', () => {
  fc.assert(
    fc.property(fc.nat(20), (programs) => {
      const channels = [aChannel({ entries: Array.from({ length: programs }, () => anEntry()) })]

      const chunks = [...xmltvChunks(channels)]

      assert.equal(chunks.length, programs + 3)
      assert.equal(chunks.join(''), printXmltv(channels))
    }),
  )
})

test('filler time is a programme with the title of the channel for it', () => {
  const filler = { program: null, startMs: START, endMs: START + 60_000 }

  const printed = printXmltv([aChannel({ fillerTitle: 'Music & more', entries: [filler] })])

  assert.deepEqual(printed.split('\n').slice(5, -2), [
    '<programme start="20261115180000 +0000" stop="20261115180100 +0000" channel="c1">',
    '  <title>Music &amp; more</title>',
    '  <length units="seconds">60</length>',
    '</programme>',
  ])
})
