import type { Value } from './filter-tree.ts'

/** Texts that SQL, arrays, text vectors or JSON may mangle, and texts that differ only slightly. */
export const awkwardTexts: readonly string[] = [
  'a',
  'A',
  'a ',
  ' a',
  'é',
  'e\u0301',
  'ß',
  'ss',
  "O'Brien",
  "''",
  'back\\slash',
  '\\',
  '"quoted"',
  '100%',
  '%',
  '_',
  'a~b',
  '~',
  'a/b',
  '/',
  '~/=ga',
  '{a,b}',
  '{}',
  '{""}',
  'NULL',
  'null',
  '(a | b) & !c',
  'a:*',
  '<->',
  '東京',
  'กรุงเทพ',
  '😀',
  '\u{1f468}\u200d\u{1f469}',
  'ﬁ',
  '*',
]

/** Labels may be empty, and contain characters that ids may not. */
export const awkwardLabels: readonly string[] = ['', '\t', '\u0001', 'a\nb', 'ж'.repeat(64), ...awkwardTexts]

/** Ids of partners: long ones that differ only in the last character, which the index does not store. */
export const partnerIds: readonly string[] = [
  ...awkwardTexts.filter((text) => text.trim() !== ''),
  `${'ж'.repeat(254)}1`,
  `${'ж'.repeat(254)}2`,
  `${'x'.repeat(254)}1`,
  `${'x'.repeat(254)}2`,
]

/** At, around and beyond the bounds of the database's integers. */
export const awkwardNumbers: readonly number[] = [
  0, -0, 1, -1, 0.5, -0.5, 1e-9, 604_800, 604_801, 100_000, 1_000_000, 2_147_483_646, 2_147_483_647,
  2_147_483_648, -2_147_483_648, -2_147_483_649, 9_007_199_254_740_992, 1e300, -1e300,
]

/** With what they mean at the time of the proof, 2026-03-14T15:09:26.535Z, which is a Saturday. */
export const awkwardDates: readonly Value[] = [
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['now', '2026-03-14T15:09:26.535Z'],
  ['now/d', '2026-03-14T00:00:00.000Z'],
  ['now-30d', '2026-02-12T15:09:26.535Z'],
  ['now-30d/d', '2026-02-12T00:00:00.000Z'],
  ['now-1M/M', '2026-02-01T00:00:00.000Z'],
  ['now+1y/y', '2027-01-01T00:00:00.000Z'],
  ['now-1w/w', '2026-03-02T00:00:00.000Z'],
  ['now-12h/h', '2026-03-14T03:00:00.000Z'],
  ['now+999999d', '4764-02-08T15:09:26.535Z'],
  ['now-999999d', '-000712-04-17T15:09:26.535Z'],
  ['now-1s', '2026-03-14T15:09:25.535Z'],
  ['now+1m/m', '2026-03-14T15:10:00.000Z'],
].map(([sent = '', date = '']) => ({ sent, meant: Date.parse(date) }))
