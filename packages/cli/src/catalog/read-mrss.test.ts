import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VideoEntry } from '@continuity/client'
import { readMrss } from './read-mrss.ts'
import type { SourceItem } from './source-item.ts'
import { collect, inChunks } from './testing/in-chunks.ts'

const mrss = (items: string, head = '') => `<?xml version="1.0" encoding="UTF-8"?>${head}
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:dcterms="http://purl.org/dc/terms/">
<channel><title>North</title>
${items}
</channel></rss>`
const anItem = (inside = '', guid = 'g1') =>
  `<item><guid>${guid}</guid><title>T</title><media:content url="https://n.example/a.mp4" type="video/mp4" duration="60"/>${inside}</item>`
const read = (text: string | Buffer, size?: number) => collect(readMrss(inChunks(text, size), 'north'))
const entryOf = async (inside: string) => (await read(mrss(anItem(inside))))[0]?.entry
const faultsOf = (items: readonly SourceItem[]) => items.map(({ fault }) => fault)

test('an item is converted to a video, wherever the chunks are cut', async () => {
  const text = mrss(`<item>
    <guid isPermaLink="false"> north-17 </guid>
    <title>Ignored where media:title is</title>
    <description><![CDATA[<p>The harbour &amp; its <b>nights</b>.</p><script>x()</script><p>Part&nbsp;two</p>]]></description>
    <pubDate>Sun, 01 Mar 2026 19:00:00 +0100</pubDate>
    <dcterms:valid>start=2026-03-01T18:00+01:00; end=2027-01-01; scheme=W3C-DTF</dcterms:valid>
    <media:group>
      <media:content url="https://n.example/low.mp4" type="video/mp4" bitrate="800" duration="1439.6"/>
      <media:content url="https://n.example/high.mp4" type="video/mp4" bitrate="4000" duration="1439.6"/>
      <media:content url="https://n.example/a.m3u8?x=1" type="application/x-mpegURL"/>
      <media:content url="https://n.example/a.jpg" type="image/jpeg"/>
    </media:group>
    <media:title>Harbour &quot;Nights&quot;</media:title>
    <media:keywords>port, night ,,port</media:keywords>
    <media:rating scheme="urn:mpaa">pg</media:rating>
    <media:category label="Drama">1/2</media:category>
    <media:category>Crime</media:category>
    <media:thumbnail url="https://n.example/t.jpg" width="1280" height="720"/>
    <media:thumbnail url="https://n.example/u.jpg"/>
  </item>`)

  for (const size of [1, 13, 100_000]) {
    const [item, ...more] = await read(text, size)

    assert.deepEqual(more, [])
    assert.deepEqual(item?.entry, {
      type: 'video',
      source_id: 'north',
      video_source_id: 'north-17',
      title: 'Harbour "Nights"',
      duration: 1_440,
      description: 'The harbour & its nights.\nPart two',
      keywords: ['port', 'night'],
      genres: [
        { genre: 'Drama', sub_genre: '' },
        { genre: 'Crime', sub_genre: '' },
      ],
      parental_rating: 'pg',
      date_published: '2026-03-01T18:00:00.000Z',
      date_available: '2026-03-01T17:00:00.000Z',
      date_expired: '2027-01-01T00:00:00.000Z',
      images: [
        {
          width: 1_280,
          height: 720,
          image_type: 'THUMBNAIL',
          original_image_url: 'https://n.example/t.jpg',
        },
      ],
      hls_url: 'https://n.example/a.m3u8?x=1',
      mp4_url: 'https://n.example/high.mp4',
    })
    assert.deepEqual(item.leftOut, ['thumbnails without width and height'])
    assert.equal(item.where, 'item 1, line 4')
  }
})

test('fields that an item does not have are omitted', async () => {
  assert.deepEqual(await entryOf(''), {
    type: 'video',
    source_id: 'north',
    video_source_id: 'g1',
    title: 'T',
    duration: 60,
    mp4_url: 'https://n.example/a.mp4',
  })
})

test('the default rendition is preferred to larger ones', async () => {
  const entry = await entryOf(
    '<media:content url="https://n.example/d.mp4" type="video/mp4" isDefault="true" bitrate="1"/>',
  )

  assert.equal((entry as VideoEntry).mp4_url, 'https://n.example/d.mp4')
})

test('elements are recognised by namespace, not by prefix', async () => {
  const text = mrss(anItem())
    .replaceAll('media:', 'm:')
    .replace('xmlns:media=', 'xmlns:media="urn:other" xmlns:m=')

  assert.equal((await read(text))[0]?.fault, undefined)
})

test('an item without a required element is a fault, and the next one is read', async () => {
  const items = await read(
    mrss(
      [
        '<item><title>T</title></item>',
        '<item><guid>g</guid></item>',
        '<item><guid>g</guid><title>T</title><media:content url="https://n.example/a.mp4"/></item>',
        anItem('<pubDate>soon</pubDate>'),
        anItem(`<description>${'x'.repeat(300_000)}</description>`),
        anItem(),
      ].join('\n'),
    ),
    4_096,
  )

  assert.deepEqual(faultsOf(items), [
    'has no guid',
    'has no title',
    'has no media:content with a duration',
    'has an invalid date: "soon"',
    'is larger than the service allows',
    undefined,
  ])
})

test('entities that an MRSS file declares are neither expanded nor fetched', async () => {
  const doubled = Array.from({ length: 30 }, (_, at) => `<!ENTITY e${at + 1} "&e${at};&e${at};">`).join('')
  const laughs = `<!DOCTYPE rss [<!ENTITY e0 "ha">${doubled}]>`
  const outside = '<!DOCTYPE rss [<!ENTITY file SYSTEM "file:///etc/hostname">]>'

  for (const [head, entity] of [
    [laughs, '&e30;'],
    [outside, '&file;'],
  ] as const) {
    const [first, second, ...more] = await read(
      mrss(anItem() + anItem(`<description>${entity}</description>`), head),
    )

    assert.equal(first?.fault, undefined)
    assert.match(
      second?.fault ?? '',
      /the rest of the file cannot be read: Invalid character entity, line \d/,
    )
    assert.deepEqual(more, [])
  }
})

test('if an MRSS file is not XML, the items before the error are returned, and then its position', async () => {
  const broken = await read(mrss(`${anItem()}${anItem('', 'g2')}<item></oops>${anItem()}`), 100_000)
  const short = await read(mrss(anItem()).slice(0, -20))

  assert.deepEqual(
    broken.map(({ position, fault }) => [position, fault?.replace(/: .*/, '')]),
    [
      [1, undefined],
      [2, undefined],
      [3, 'the rest of the file cannot be read'],
    ],
  )
  assert.match(short.at(-1)?.fault ?? '', /Unclosed root tag/)
})

test('an MRSS file is read in its declared encoding', async () => {
  const latin = Buffer.from(
    mrss(anItem()).replace('UTF-8', 'ISO-8859-1').replace('<title>T', '<title>Tür'),
    'latin1',
  )
  const wide = Buffer.from(`\uFEFF${mrss(anItem()).replace('UTF-8', 'UTF-16')}`, 'utf16le')
  const wrong = Buffer.from(mrss(anItem()).replace('<title>T', '<title>Tür'), 'latin1')

  const titles = [...(await read(latin, 100_000)), ...(await read(wide, 100_000))].map(
    ({ entry }) => (entry as VideoEntry).title,
  )
  assert.deepEqual(titles, ['Tür', 'T'])
  assert.match((await read(wrong))[0]?.fault ?? '', /it is not valid utf-8/i)
})

test('an MRSS file is read on demand', async () => {
  async function* endless() {
    yield Buffer.from('<rss xmlns:media="http://search.yahoo.com/mrss/"><channel>')
    for (;;) yield Buffer.from(anItem())
  }

  for await (const { position } of readMrss(endless(), 'north')) if (position === 1_000) break
})
