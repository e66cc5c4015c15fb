import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHex } from '../scte35/read-bytes.ts'
import { mergeCues } from './source-cues.ts'
import { readSourcePlaylist } from './source-playlist.ts'

/**
 * Examples of SCTE 35 2023r1, §14: the start of a placement opportunity of 307 s, a splice of 60.293 s, and an
 * end.
 */
const OPPORTUNITY = '/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg=='
const SPLICE = '/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo='
const END = '/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g='
const hexOf = (base64: string) => `0x${Buffer.from(base64, 'base64').toString('hex').toUpperCase()}`

/** A playlist of three segments of 6 s from noon, with lines before the second. */
function read(...lines: readonly string[]) {
  const text = [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:6',
    '#EXT-X-PROGRAM-DATE-TIME:2026-11-16T12:00:00.000Z',
    '#EXTINF:6,\n0.ts',
    ...lines,
    '#EXTINF:6,\n1.ts\n#EXTINF:6,\n2.ts',
  ].join('\n')
  const playlist = readSourcePlaylist(text, 'https://live.example/index.m3u8')
  assert.ok(playlist.kind === 'media')
  return playlist
}

const cuesBefore = (...lines: readonly string[]) => read(...lines).segments.map(({ cues }) => cues)
const out = (seconds?: number) => ({
  kind: 'out',
  durationMs: seconds === undefined ? undefined : 1_000 * seconds,
})
const end = { kind: 'in', durationMs: undefined }

test('cues of all forms belong to the segment after them', () => {
  for (const [line, cue] of [
    ['#EXT-X-CUE-OUT:30', out(30)],
    ['#EXT-X-CUE-OUT:30.5', out(30.5)],
    ['#EXT-X-CUE-OUT:DURATION=45', out(45)],
    ['#EXT-X-CUE-OUT:ID="7",DURATION="45.25"', out(45.25)],
    ['#EXT-X-CUE-OUT', out()],
    ['#EXT-X-CUE-OUT:0', out()],
    ['#EXT-X-CUE-OUT:90000', out()],
    ['#EXT-X-CUE-IN', end],
    [`#EXT-OATCLS-SCTE35:${OPPORTUNITY}`, out(307)],
    [`#EXT-OATCLS-SCTE35:${SPLICE}`, { kind: 'out', durationMs: 60_294 }],
    [`#EXT-OATCLS-SCTE35:${END}`, end],
  ] as const)
    assert.deepEqual(cuesBefore(line), [[], [cue], []], line)
})

test('unknown and invalid cues are skipped', () => {
  const broken = `#EXT-OATCLS-SCTE35:${SPLICE.replace('SAAAj', 'SAAAk').replace('c2n', 'c3n')}`
  for (const line of [
    '#EXT-X-CUE-OUT-CONT:10/30',
    '#EXT-OATCLS-SCTE35:',
    '#EXT-OATCLS-SCTE35:not base64!',
    broken,
    // The start of a program, which is not a break.
    '#EXT-OATCLS-SCTE35:/DAvAAAAAAAA///wBQb+rr//ZAAZAhdDVUVJSAAACH+fCAgAAAAALKVs9RcAAJUdsKg=',
  ])
    assert.deepEqual(cuesBefore(line), [[], [], []], line)
  assert.equal(cuesBefore(...Array<string>(50).fill('#EXT-X-CUE-IN'))[1]!.length, 10)
})

test('a date range has the start, end and duration of its break', () => {
  const noonMs = Date.parse('2026-11-16T12:00:00Z')
  const dated = (attributes: string) => read(`#EXT-X-DATERANGE:ID="7",${attributes}`).datedCues
  const start = 'START-DATE="2026-11-16T12:00:07.5Z"'
  const begins = { kind: 'out', key: '7 out', atMs: noonMs + 7_500 }

  assert.deepEqual(dated(`${start},PLANNED-DURATION=20,SCTE35-OUT=${hexOf(SPLICE)}`), [
    { ...begins, durationMs: 20_000 },
  ])
  assert.deepEqual(dated(`${start},SCTE35-OUT=${hexOf(SPLICE)}`), [{ ...begins, durationMs: 60_294 }])
  assert.deepEqual(dated(`${start},SCTE35-OUT=0xFC`), [{ ...begins, durationMs: undefined }])
  assert.deepEqual(dated(`${start},SCTE35-CMD=${hexOf(OPPORTUNITY)}`), [{ ...begins, durationMs: 307_000 }])
  const ends = { kind: 'in', key: '7 in', durationMs: undefined }
  assert.deepEqual(dated(`${start},DURATION=12,SCTE35-IN=${hexOf(END)}`), [
    { ...ends, atMs: noonMs + 19_500 },
  ])
  assert.deepEqual(dated(`${start},END-DATE="2026-11-16T12:00:17.5Z",SCTE35-IN=${hexOf(END)}`), [
    { ...ends, atMs: noonMs + 17_500 },
  ])
  assert.deepEqual(dated(`${start},SCTE35-IN=${hexOf(END)}`), [{ ...ends, atMs: undefined }])
  assert.deepEqual(dated(`${start},SCTE35-CMD=${hexOf(END)}`), [{ ...ends, atMs: noonMs + 7_500 }])
  assert.deepEqual(dated(`${start},DURATION=10,X-TITLE="news"`), [])
})

test('a break that is announced in two ways is one break, with the duration that one of them contains', () => {
  const at = (offsetMs: number, cue: object) => ({ ...cue, offsetMs }) as Parameters<typeof mergeCues>[0][0]
  assert.deepEqual(mergeCues([at(0, out()), at(500, out(30))]), [at(0, out(30))])
  assert.deepEqual(mergeCues([at(3_000, out(30)), at(0, end)]), [at(0, end), at(3_000, out(30))])
  assert.deepEqual(mergeCues([at(0, out(20)), at(2_000, out(30))]).length, 2)
})

test('hexadecimal bytes are read as printed elsewhere', () => {
  assert.deepEqual(readHex('0xFC30'), Uint8Array.of(0xfc, 0x30))
  assert.equal(readHex('FC30'), undefined)
  assert.equal(readHex('0xF'), undefined)
})
