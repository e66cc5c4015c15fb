import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseCountry } from './country.ts'

const ipCountries = { countryOf: (address: string) => (address === '192.0.2.1' ? 'FR' : undefined) }
const clues = { trustedHeader: undefined, address: '192.0.2.1', ipCountries, accountCountry: 'se' }

test('the trusted header goes before the file, and the file before the account', () => {
  assert.equal(chooseCountry({ ...clues, trustedHeader: 'DE' }), 'DE')
  assert.equal(chooseCountry(clues), 'FR')
  assert.equal(chooseCountry({ ...clues, address: '198.51.100.1' }), 'SE')
  assert.equal(chooseCountry({ ...clues, ipCountries: undefined }), 'SE')
})

test('a country is written in capitals, wherever it is from', () => {
  assert.equal(chooseCountry({ ...clues, trustedHeader: 'de' }), 'DE')
  assert.equal(chooseCountry({ ...clues, trustedHeader: ' De ' }), 'DE')
})

test('a header that names no country is passed over', () => {
  for (const trustedHeader of ['XX', 'xx', 'T1', 'ZZ', '', 'DEU', 'D', 'DE, US', 'ÄÖ', 'ﬀ', 'ıı', '--']) {
    assert.equal(chooseCountry({ ...clues, trustedHeader }), 'FR', trustedHeader)
  }
})
