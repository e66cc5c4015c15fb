import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPasswordFault, type PasswordFault } from './password-rules.ts'

const names = ['Anna.Weber@example.com', 'Nordlicht-TV']

const passwords: readonly (readonly [string, string, PasswordFault | undefined])[] = [
  ['seven characters', 'abcdefg', 'too_short'],
  ['eight characters', 'abcdefgh', undefined],
  ['seven characters outside the basic plane, which are fourteen code units', '😀'.repeat(7), 'too_short'],
  ['eight of them', '😀'.repeat(8), undefined],
  ['seven letters with accents of their own', 'e\u0301'.repeat(7), 'too_short'],
  ['1,024 characters', 'a'.repeat(1_024), undefined],
  ['1,025 characters', 'a'.repeat(1_025), 'too_long'],
  ['1,024 letters with accents of their own', 'e\u0301'.repeat(1_024), undefined],
  ['ten million characters', 'a'.repeat(10_000_000), 'too_long'],
  ['the e-mail address', 'Anna.Weber@example.com', 'is_a_name'],
  ['the e-mail address in another case, with a space', 'anna.weber@EXAMPLE.com ', 'is_a_name'],
  ['the account name in full width', 'Ｎordlicht-TV', 'is_a_name'],
  ['a name with a suffix', 'Nordlicht-TV!', undefined],
  ['spaces between words', 'correct horse battery', undefined],
]

for (const [name, password, fault] of passwords) {
  test(`${fault ?? 'accepted'}: ${name}`, () => {
    assert.equal(findPasswordFault(password, names), fault)
  })
}
