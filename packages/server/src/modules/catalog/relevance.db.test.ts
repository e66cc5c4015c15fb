import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refreshSeries } from './refresh-series.ts'
import { aCatalogApi, made, SEARCH, SERIES, VIDEOS, type WirePage } from './testing/a-catalog-api.ts'
import { aJobRun } from './testing/a-job-run.ts'

const { anAccount } = await aCatalogApi()

interface WireVideo {
  readonly video_id: string
  readonly title: string
}

interface Draft {
  readonly title: string
  readonly [field: string]: unknown
}

/** An account with these videos, each a day older than the one before it, save where its date is given. */
async function aShelf(...drafts: readonly (string | Draft)[]) {
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

/** What each query has to find, best first. */
async function assertFinds(
  { find }: { find(query: string): Promise<string[]> },
  expected: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [query, titles] of Object.entries(expected)) {
    assert.deepEqual(await find(query), titles, query)
  }
}

test('a word counts most in the title, then in a keyword, the series and the description', async () => {
  const shelf = await aShelf(
    { title: 'One', description: 'A walk round the harbour' },
    { title: 'Two', keywords: ['harbour'] },
    'Harbour lights',
  )
  const series = await made<{ series_id: string }>(shelf.admin, SERIES, { title: 'Harbour' })
  const inSeries = { title: 'Three', duration: 60, series_id: series.series_id }
  await made(shelf.admin, VIDEOS, { ...inSeries, date_published: '2027-01-01T00:00:00Z' })

  assert.deepEqual(await shelf.find('harbour'), ['Harbour lights', 'Two', 'Three', 'One'])
})

test('of several words too, one in the title counts more than one in a keyword', async () => {
  const shelf = await aShelf(
    { title: 'Keyword', keywords: ['harbour'], description: 'It is night' },
    { title: 'Harbour', description: 'Much later, when everybody has gone home, it is night' },
  )

  assert.deepEqual(await shelf.find('night harbour'), ['Harbour', 'Keyword'])
})

test('the title that is all of the query comes before a longer one that holds it', async () => {
  const shelf = await aShelf(
    'The Tide Table Reader',
    'Tide Table Tide Table',
    'The Tide Table',
    'The tide, table!',
  )

  const found = await shelf.find('the tide table')

  assert.deepEqual(found.slice(0, 2), ['The Tide Table', 'The tide, table!'])
  assert.deepEqual(found.slice(2), ['The Tide Table Reader'])
})

test('words next to each other count more than the same words apart', async () => {
  const shelf = await aShelf(
    {
      title: 'One',
      description: 'The night was long, and nobody at all had seen the last of the old steam train',
    },
    {
      title: 'Two',
      description: 'Nobody had seen it, but for the night train of the old steam line, that was long',
    },
  )

  assert.deepEqual(await shelf.find('night train'), ['Two', 'One'])
})

test('more words of the query in the title count more than one', async () => {
  const shelf = await aShelf(
    { title: 'Night ferry', description: 'to the island' },
    { title: 'Night ferry to the island' },
    { title: 'Night', description: 'ferry to the island' },
  )

  assert.deepEqual(await shelf.find('night ferry island'), [
    'Night ferry to the island',
    'Night ferry',
    'Night',
  ])
})

test('a word that stands in two places counts more than one that stands in one', async () => {
  const shelf = await aShelf(
    { title: 'One', keywords: ['submarine'] },
    { title: 'Two', keywords: ['submarine'], description: 'A submarine surfaces' },
  )

  assert.deepEqual(await shelf.find('submarine'), ['Two', 'One'])
})

test('the newest comes first among equals', async () => {
  const shelf = await aShelf(
    { title: 'Ferry A', date_published: '2026-01-02T00:00:00Z' },
    { title: 'Ferry B', date_published: '2026-01-04T00:00:00Z' },
    { title: 'Ferry C', date_published: null },
    { title: 'Ferry D', date_published: '2026-01-03T00:00:00Z' },
  )

  assert.deepEqual(await shelf.find('ferry'), ['Ferry B', 'Ferry D', 'Ferry A', 'Ferry C'])
})

test('an empty query, and one without a word, finds all, the newest first', async () => {
  const shelf = await aShelf('One', 'Two', 'Three')

  await assertFinds(shelf, {
    '': ['One', 'Two', 'Three'],
    '  ': ['One', 'Two', 'Three'],
    '…!?': ['One', 'Two', 'Three'],
    '- -- ""': ['One', 'Two', 'Three'],
    "'&|!():*<->'\\": ['One', 'Two', 'Three'],
  })
})

test('all words have to be there, wherever they are', async () => {
  const shelf = await aShelf(
    { title: 'The ferry', keywords: ['harbour'], description: 'It leaves at night' },
    { title: 'The harbour', description: 'It sleeps at night' },
  )

  await assertFinds(shelf, {
    'night ferry harbour': ['The ferry'],
    'ferry harbour': ['The ferry'],
    'leaves harbour': ['The ferry'],
    'sleeps ferry': [],
  })
})

test('a phrase finds words that stand next to each other, in this order', async () => {
  const shelf = await aShelf('Night train', 'Train night', 'Night of the train', 'Last night, train three')

  await assertFinds(shelf, {
    '"night train"': ['Night train', 'Last night, train three'],
    '"train night"': ['Train night'],
    '“night train” last': ['Last night, train three'],
    '"night train': ['Night train', 'Last night, train three'],
  })
})

test('a phrase lies in one keyword, and in one field', async () => {
  const shelf = await aShelf({
    title: 'Last harbour',
    keywords: ['night', 'train', 'steam engine'],
    description: 'lights at sea',
  })

  await assertFinds(shelf, {
    '"night train"': [],
    '"train steam"': [],
    '"harbour lights"': [],
    '"harbour night"': [],
    '"steam engine" "last harbour" "lights at sea"': ['Last harbour'],
  })
})

test('a word or a phrase behind a minus must not be there', async () => {
  const shelf = await aShelf('Night train', 'Night ferry', { title: 'Day', description: 'A night, a train' })

  await assertFinds(shelf, {
    'night -ferry': ['Night train', 'Day'],
    'night -"night train"': ['Night ferry', 'Day'],
    'night -train': ['Night ferry'],
    '-ferry -day': ['Night train'],
    '-"night train"': ['Night ferry', 'Day'],
    '-night': [],
    'night -night': [],
  })
})

test('a word that is typed wrong finds what was meant, if nothing matches as it is', async () => {
  const shelf = await aShelf('Submarine', 'Lighthouse')

  await assertFinds(shelf, {
    submxrine: ['Submarine'],
    sumbarine: ['Submarine'],
    submrine: ['Submarine'],
    submarrine: ['Submarine'],
    lihgthouse: ['Lighthouse'],
    'LIGTHOUSE!': ['Lighthouse'],
    zzzzzz: [],
  })
})

test('a word that matches is never taken for another', async () => {
  const shelf = await aShelf('Ferry', 'Merry', 'Berry')

  await assertFinds(shelf, { ferry: ['Ferry'], merry: ['Merry'], 'ferry merry': [] })
})

test('one word of several may be wrong, also beside short words and numbers', async () => {
  const shelf = await aShelf('Apollo 13', 'Lord of the Islands', 'Apollo 11', '2001: A Space Odyssey')

  await assertFinds(shelf, {
    'apolo 13': ['Apollo 13'],
    'appollo 11': ['Apollo 11'],
    'lord of teh islands': ['Lord of the Islands'],
    'lord of the islnads': ['Lord of the Islands'],
    '2001 a space odissey': ['2001: A Space Odyssey'],
    'apollo 12': [],
  })
})

test('a word inside a phrase may be wrong too, and the order still counts', async () => {
  const shelf = await aShelf('Night train', 'Train night')

  await assertFinds(shelf, { '"nihgt train"': ['Night train'], '"trian night"': ['Train night'] })
})

test('what is excluded is never corrected', async () => {
  const shelf = await aShelf('Night ferry', 'Night train')

  await assertFinds(shelf, {
    'night -ferri': ['Night ferry', 'Night train'],
    'nihgt -ferry': ['Night train'],
  })
})

test('case, accents and letters that few keyboards have do not matter', async () => {
  const shelf = await aShelf('Café Müller', 'Die Straße', 'Hors d’œuvre', 'Ærøskøbing', 'Łódź', 'ﬁlm')

  await assertFinds(shelf, {
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

test('an apostrophe does not matter, straight, curved or left out', async () => {
  const shelf = await aShelf("Don't Look Now", 'O’Brien')

  await assertFinds(shelf, {
    "don't look now": ["Don't Look Now"],
    'don’t look now': ["Don't Look Now"],
    'dont look now': ["Don't Look Now"],
    "o'brien": ['O’Brien'],
    obrien: ['O’Brien'],
  })
})

test('words with a hyphen are found with it and without it, together only', async () => {
  const shelf = await aShelf('Spider-Man', 'Spider Man', 'Man and spider')

  await assertFinds(shelf, {
    'spider-man': ['Spider-Man', 'Spider Man'],
    '"spider man"': ['Spider-Man', 'Spider Man'],
    'spider man': ['Spider-Man', 'Spider Man', 'Man and spider'],
    'spider–man': ['Spider-Man', 'Spider Man'],
  })
})

test('numbers are words', async () => {
  const shelf = await aShelf('Apollo 13', 'Apollo 11', '2001: A Space Odyssey', 'The 39 Steps')

  await assertFinds(shelf, {
    'apollo 13': ['Apollo 13'],
    apollo: ['Apollo 13', 'Apollo 11'],
    '2001': ['2001: A Space Odyssey'],
    '39 steps': ['The 39 Steps'],
    '３９': ['The 39 Steps'],
    '1': [],
  })
})

test('scripts without spaces are found by any part of a text', async () => {
  const shelf = await aShelf('東京物語', '京都の東', 'กรุงเทพมหานคร', 'となりのトトロ')

  await assertFinds(shelf, {
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
  const shelf = await aShelf('Ночной Поезд', 'Ο Θίασος', 'İstanbul')

  await assertFinds(shelf, {
    'НОЧНОЙ поезд': ['Ночной Поезд'],
    ночнои: ['Ночной Поезд'],
    'ο θιασος': ['Ο Θίασος'],
    ΘΙΑΣΟΣ: ['Ο Θίασος'],
    istanbul: ['İstanbul'],
    ISTANBUL: ['İstanbul'],
  })
})

test('fields narrow where words are sought', async () => {
  const shelf = await aShelf(
    { title: 'Harbour', description: 'A ferry' },
    { title: 'Ferry', keywords: ['harbour'] },
  )

  assert.deepEqual(await shelf.find('ferry', { fields: ['title'] }), ['Ferry'])
  assert.deepEqual(await shelf.find('ferry', { fields: ['description'] }), ['Harbour'])
  assert.deepEqual(await shelf.find('harbour', { fields: ['keywords', 'description'] }), ['Ferry'])
  assert.deepEqual(await shelf.find('harbour ferry', { fields: ['title', 'description'] }), ['Harbour'])
  assert.deepEqual(await shelf.find('ferry', { fields: ['series_title'] }), [])
  assert.deepEqual(await shelf.find('-ferry', { fields: ['title'] }), ['Harbour'])
})

test('a video that was changed is found by what it says now', async () => {
  const shelf = await aShelf('Ferry', { title: 'Harbour', description: 'ferry' })

  await shelf.admin.patch(shelf.addressOf('Ferry'), { title: 'Tunnel' })
  await shelf.admin.patch(shelf.addressOf('Harbour'), { date_published: '2031-01-01T00:00:00Z' })

  await assertFinds(shelf, { ferry: ['Harbour'], tunnel: ['Tunnel'], '': ['Harbour', 'Tunnel'] })
})

test('a video that was deleted is not found', async () => {
  const shelf = await aShelf('Ferry', 'Ferry two')

  const { statusCode } = await shelf.admin.delete(shelf.addressOf('Ferry'))

  assert.equal(statusCode, 204)
  await assertFinds(shelf, { ferry: ['Ferry two'], '': ['Ferry two'] })
})

test('videos of a series are found by its new title when the job has run, and no more by the old', async () => {
  const shelf = await aShelf()
  const { series_id } = await made<{ series_id: string }>(shelf.admin, SERIES, { title: 'Harbour Nights' })
  await made(shelf.admin, VIDEOS, { title: 'One', duration: 60, series_id })

  await assertFinds(shelf, { '"harbour nights"': ['One'] })
  const { statusCode } = await shelf.admin.patch(`${SERIES}/${series_id}`, { title: 'Lighthouse Days' })
  await refreshSeries(aJobRun(shelf, { series_id }))

  assert.equal(statusCode, 200)
  await assertFinds(shelf, { '"lighthouse days"': ['One'], 'harbour one': [] })
})
