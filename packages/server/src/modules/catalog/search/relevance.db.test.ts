import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refreshSeries } from '../series/refresh-series.ts'
import { aCatalogApi, made, SEARCH, SERIES, VIDEOS, type WirePage } from '../testing/a-catalog-api.ts'
import { aJobRun } from '../testing/a-job-run.ts'

const { anAccount } = await aCatalogApi()

interface WireVideo {
  readonly video_id: string
  readonly title: string
}

interface Draft {
  readonly title: string
  readonly [field: string]: unknown
}

/** An account with these videos, each a day older than the previous one unless it has a date. */
async function aCatalog(...drafts: readonly (string | Draft)[]) {
  const account = await anAccount()
  const { admin } = account
  const ids = new Map<string, string>()
  for (const [i, given] of drafts.entries()) {
    const draft = typeof given === 'string' ? { title: given } : given
    const date_published = new Date(Date.UTC(2026, 0, 100 - i)).toISOString()
    const video = await made<WireVideo>(admin, VIDEOS, { duration: 60, date_published, ...draft })
    ids.set(video.title, video.video_id)
  }
  /** Titles, best first. */
  const find = async (query: string, more: object = {}): Promise<string[]> => {
    const answer = await admin.post<WirePage<WireVideo>>(SEARCH, { query, ...more })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().hits.map(({ title }) => title)
  }
  const addressOf = (title: string) => `${VIDEOS}/${ids.get(title)}`
  return { ...account, find, addressOf }
}

/** Asserts what each query finds, best first. */
async function assertFinds(
  { find }: { find(query: string): Promise<string[]> },
  expected: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [query, titles] of Object.entries(expected)) {
    assert.deepEqual(await find(query), titles, query)
  }
}

test('a word counts most in the title, then in a keyword, the series and the description', async () => {
  const catalog = await aCatalog(
    { title: 'One', description: 'A walk round the harbour' },
    { title: 'Two', keywords: ['harbour'] },
    'Harbour lights',
  )
  const series = await made<{ series_id: string }>(catalog.admin, SERIES, { title: 'Harbour' })
  const inSeries = { title: 'Three', duration: 60, series_id: series.series_id }
  await made(catalog.admin, VIDEOS, { ...inSeries, date_published: '2027-01-01T00:00:00Z' })

  assert.deepEqual(await catalog.find('harbour'), ['Harbour lights', 'Two', 'Three', 'One'])
})

test('with several words too, one in the title counts more than one in a keyword', async () => {
  const catalog = await aCatalog(
    { title: 'Keyword', keywords: ['harbour'], description: 'It is night' },
    { title: 'Harbour', description: 'Much later, when everybody has gone home, it is night' },
  )

  assert.deepEqual(await catalog.find('night harbour'), ['Harbour', 'Keyword'])
})

test('a title that equals the query comes before a longer one that contains it', async () => {
  const catalog = await aCatalog(
    'The Tide Table Reader',
    'Tide Table Tide Table',
    'The Tide Table',
    'The tide, table!',
  )

  const found = await catalog.find('the tide table')

  assert.deepEqual(found.slice(0, 2), ['The Tide Table', 'The tide, table!'])
  assert.deepEqual(found.slice(2), ['The Tide Table Reader'])
})

test('words next to each other count more than the same words apart', async () => {
  const catalog = await aCatalog(
    {
      title: 'One',
      description: 'The night was long, and no one at all had seen the last of the old steam train',
    },
    {
      title: 'Two',
      description: 'No one had seen it, but for the night train of the old steam line, that was long',
    },
  )

  assert.deepEqual(await catalog.find('night train'), ['Two', 'One'])
})

test('more words of the query in the title count more than one', async () => {
  const catalog = await aCatalog(
    { title: 'Night ferry', description: 'to the island' },
    { title: 'Night ferry to the island' },
    { title: 'Night', description: 'ferry to the island' },
  )

  assert.deepEqual(await catalog.find('night ferry island'), [
    'Night ferry to the island',
    'Night ferry',
    'Night',
  ])
})

test('a word in two fields counts more than a word in one', async () => {
  const catalog = await aCatalog(
    { title: 'One', keywords: ['submarine'] },
    { title: 'Two', keywords: ['submarine'], description: 'A submarine surfaces' },
  )

  assert.deepEqual(await catalog.find('submarine'), ['Two', 'One'])
})

test('among equal matches, the newest comes first', async () => {
  const catalog = await aCatalog(
    { title: 'Ferry A', date_published: '2026-01-02T00:00:00Z' },
    { title: 'Ferry B', date_published: '2026-01-04T00:00:00Z' },
    { title: 'Ferry C', date_published: null },
    { title: 'Ferry D', date_published: '2026-01-03T00:00:00Z' },
  )

  assert.deepEqual(await catalog.find('ferry'), ['Ferry B', 'Ferry D', 'Ferry A', 'Ferry C'])
})

test('a query without words finds all, the newest first', async () => {
  const catalog = await aCatalog('One', 'Two', 'Three')

  await assertFinds(catalog, {
    '': ['One', 'Two', 'Three'],
    '  ': ['One', 'Two', 'Three'],
    '…!?': ['One', 'Two', 'Three'],
    '- -- ""': ['One', 'Two', 'Three'],
    "'&|!():*<->'\\": ['One', 'Two', 'Three'],
  })
})

test('all words must match, in any field', async () => {
  const catalog = await aCatalog(
    { title: 'The ferry', keywords: ['harbour'], description: 'It leaves at night' },
    { title: 'The harbour', description: 'It sleeps at night' },
  )

  await assertFinds(catalog, {
    'night ferry harbour': ['The ferry'],
    'ferry harbour': ['The ferry'],
    'leaves harbour': ['The ferry'],
    'sleeps ferry': [],
  })
})

test('a phrase finds adjacent words in this order', async () => {
  const catalog = await aCatalog(
    'Night train',
    'Train night',
    'Night of the train',
    'Last night, train three',
  )

  await assertFinds(catalog, {
    '"night train"': ['Night train', 'Last night, train three'],
    '"train night"': ['Train night'],
    '“night train” last': ['Last night, train three'],
    '"night train': ['Night train', 'Last night, train three'],
  })
})

test('a phrase matches within one keyword and within one field', async () => {
  const catalog = await aCatalog({
    title: 'Last harbour',
    keywords: ['night', 'train', 'steam engine'],
    description: 'lights at sea',
  })

  await assertFinds(catalog, {
    '"night train"': [],
    '"train steam"': [],
    '"harbour lights"': [],
    '"harbour night"': [],
    '"steam engine" "last harbour" "lights at sea"': ['Last harbour'],
  })
})

test('a word or a phrase after a minus is excluded', async () => {
  const catalog = await aCatalog('Night train', 'Night ferry', {
    title: 'Day',
    description: 'A night, a train',
  })

  await assertFinds(catalog, {
    'night -ferry': ['Night train', 'Day'],
    'night -"night train"': ['Night ferry', 'Day'],
    'night -train': ['Night ferry'],
    '-ferry -day': ['Night train'],
    '-"night train"': ['Night ferry', 'Day'],
    '-night': [],
    'night -night': [],
  })
})

test('a mistyped word finds similar words, if nothing matches exactly', async () => {
  const catalog = await aCatalog('Submarine', 'Lighthouse')

  await assertFinds(catalog, {
    submxrine: ['Submarine'],
    sumbarine: ['Submarine'],
    submrine: ['Submarine'],
    submarrine: ['Submarine'],
    lihgthouse: ['Lighthouse'],
    'LIGTHOUSE!': ['Lighthouse'],
    zzzzzz: [],
  })
})

test('a word that matches is never corrected', async () => {
  const catalog = await aCatalog('Ferry', 'Merry', 'Berry')

  await assertFinds(catalog, { ferry: ['Ferry'], merry: ['Merry'], 'ferry merry': [] })
})

test('one word of several may be mistyped, also beside short words and numbers', async () => {
  const catalog = await aCatalog('Apollo 13', 'Lord of the Islands', 'Apollo 11', '2001: A Space Odyssey')

  await assertFinds(catalog, {
    'apolo 13': ['Apollo 13'],
    'appollo 11': ['Apollo 11'],
    'lord of teh islands': ['Lord of the Islands'],
    'lord of the islnads': ['Lord of the Islands'],
    '2001 a space odissey': ['2001: A Space Odyssey'],
    'apollo 12': [],
  })
})

test('a word inside a phrase may be mistyped, and the order still counts', async () => {
  const catalog = await aCatalog('Night train', 'Train night')

  await assertFinds(catalog, { '"nihgt train"': ['Night train'], '"trian night"': ['Train night'] })
})

test('excluded words are never corrected', async () => {
  const catalog = await aCatalog('Night ferry', 'Night train')

  await assertFinds(catalog, {
    'night -ferri': ['Night ferry', 'Night train'],
    'nihgt -ferry': ['Night train'],
  })
})

test('case, accents, ligatures and special letters are ignored', async () => {
  const catalog = await aCatalog('Café Müller', 'Die Straße', 'Hors d’œuvre', 'Ærøskøbing', 'Łódź', 'ﬁlm')

  await assertFinds(catalog, {
    'cafe muller': ['Café Müller'],
    'CAFÉ MÜLLER': ['Café Müller'],
    'cafe\u0301': ['Café Müller'],
    strasse: ['Die Straße'],
    STRASSE: ['Die Straße'],
    doeuvre: ['Hors d’œuvre'],
    "hors d'oeuvre": ['Hors d’œuvre'],
    aeroskobing: ['Ærøskøbing'],
    lodz: ['Łódź'],
    film: ['ﬁlm'],
  })
})

test('apostrophes are ignored, straight, curved or omitted', async () => {
  const catalog = await aCatalog("Don't Look Now", 'O’Brien')

  await assertFinds(catalog, {
    "don't look now": ["Don't Look Now"],
    'don’t look now': ["Don't Look Now"],
    'dont look now': ["Don't Look Now"],
    "o'brien": ['O’Brien'],
    obrien: ['O’Brien'],
  })
})

test('hyphenated words are found with and without the hyphen, as adjacent words', async () => {
  const catalog = await aCatalog('Spider-Man', 'Spider Man', 'Man and spider')

  await assertFinds(catalog, {
    'spider-man': ['Spider-Man', 'Spider Man'],
    '"spider man"': ['Spider-Man', 'Spider Man'],
    'spider man': ['Spider-Man', 'Spider Man', 'Man and spider'],
    'spider–man': ['Spider-Man', 'Spider Man'],
  })
})

test('numbers are words', async () => {
  const catalog = await aCatalog('Apollo 13', 'Apollo 11', '2001: A Space Odyssey', 'The 39 Steps')

  await assertFinds(catalog, {
    'apollo 13': ['Apollo 13'],
    apollo: ['Apollo 13', 'Apollo 11'],
    '2001': ['2001: A Space Odyssey'],
    '39 steps': ['The 39 Steps'],
    '３９': ['The 39 Steps'],
    '1': [],
  })
})

test('text without spaces between words is found by any part', async () => {
  const catalog = await aCatalog('東京物語', '京都の東', 'กรุงเทพมหานคร', 'となりのトトロ')

  await assertFinds(catalog, {
    東京: ['東京物語'],
    物語: ['東京物語'],
    京物: ['東京物語'],
    京東: [],
    กรุงเทพ: ['กรุงเทพมหานคร'],
    มหา: ['กรุงเทพมหานคร'],
    トトロ: ['となりのトトロ'],
    ﾄﾄﾛ: ['となりのトトロ'],
  })
})

test('Cyrillic, Greek and Turkish letters are folded as Latin ones are', async () => {
  const catalog = await aCatalog('Ночной Поезд', 'Ο Θίασος', 'İstanbul')

  await assertFinds(catalog, {
    'НОЧНОЙ поезд': ['Ночной Поезд'],
    ночнои: ['Ночной Поезд'],
    'ο θιασος': ['Ο Θίασος'],
    ΘΙΑΣΟΣ: ['Ο Θίασος'],
    istanbul: ['İstanbul'],
    ISTANBUL: ['İstanbul'],
  })
})

test('fields limit where words match', async () => {
  const catalog = await aCatalog(
    { title: 'Harbour', description: 'A ferry' },
    { title: 'Ferry', keywords: ['harbour'] },
  )

  assert.deepEqual(await catalog.find('ferry', { fields: ['title'] }), ['Ferry'])
  assert.deepEqual(await catalog.find('ferry', { fields: ['description'] }), ['Harbour'])
  assert.deepEqual(await catalog.find('harbour', { fields: ['keywords', 'description'] }), ['Ferry'])
  assert.deepEqual(await catalog.find('harbour ferry', { fields: ['title', 'description'] }), ['Harbour'])
  assert.deepEqual(await catalog.find('ferry', { fields: ['series_title'] }), [])
  assert.deepEqual(await catalog.find('-ferry', { fields: ['title'] }), ['Harbour'])
})

test('a changed video is found by its new text only', async () => {
  const catalog = await aCatalog('Ferry', { title: 'Harbour', description: 'ferry' })

  await catalog.admin.patch(catalog.addressOf('Ferry'), { title: 'Tunnel' })
  await catalog.admin.patch(catalog.addressOf('Harbour'), { date_published: '2031-01-01T00:00:00Z' })

  await assertFinds(catalog, { ferry: ['Harbour'], tunnel: ['Tunnel'], '': ['Harbour', 'Tunnel'] })
})

test('a deleted video is not found', async () => {
  const catalog = await aCatalog('Ferry', 'Ferry two')

  const { statusCode } = await catalog.admin.delete(catalog.addressOf('Ferry'))

  assert.equal(statusCode, 204)
  await assertFinds(catalog, { ferry: ['Ferry two'], '': ['Ferry two'] })
})

test('after the job, videos of a renamed series are found by its new title and not by the old one', async () => {
  const catalog = await aCatalog()
  const { series_id } = await made<{ series_id: string }>(catalog.admin, SERIES, { title: 'Harbour Nights' })
  await made(catalog.admin, VIDEOS, { title: 'One', duration: 60, series_id })

  await assertFinds(catalog, { '"harbour nights"': ['One'] })
  const { statusCode } = await catalog.admin.patch(`${SERIES}/${series_id}`, { title: 'Lighthouse Days' })
  await refreshSeries(aJobRun(catalog, { series_id }))

  assert.equal(statusCode, 200)
  await assertFinds(catalog, { '"lighthouse days"': ['One'], 'harbour one': [] })
})
