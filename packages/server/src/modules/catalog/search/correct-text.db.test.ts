import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCatalogApi, made, SEARCH, VIDEOS, type WirePage } from '../testing/a-catalog-api.ts'

const { anAccount } = await aCatalogApi()

const georgian = [...'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ']

/** A word of the largest length that is corrected, of three-byte letters. Its spellings differ in one letter. */
const longWord = (word: number, spelling: number) =>
  Array.from({ length: 40 }, (_, at) => georgian[(at * (word + 3) + word * 7) % georgian.length]!)
    .with(20, georgian[spelling]!)
    .join('')

test('a search with corrections of long words has a second page', async () => {
  const { admin } = await anAccount()
  const words = [0, 1, 2, 3]
  const description = words.flatMap((word) => [1, 2, 3].map((spelling) => longWord(word, spelling))).join(' ')
  for (const title of ['One', 'Two']) await made(admin, VIDEOS, { title, description, duration: 60 })
  const body = { query: words.map((word) => longWord(word, 9)).join(' ') }

  const first = await admin.post<WirePage<object>>(`${SEARCH}?page_size=1`, body)
  assert.equal(first.statusCode, 200, first.body)
  const cursor = first.json().page.page_mark
  const second = await admin.post<WirePage<object>>(`${SEARCH}?page_size=1&page_offset=${cursor}`, body)

  assert.equal(first.json().total, 2)
  assert.equal(second.statusCode, 200, second.body)
  assert.equal(second.json().hits.length, 1)
  assert.equal(second.json().page.page_mark, null)
})
