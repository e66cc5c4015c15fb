import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countSoundFrames } from './sound-frames.ts'

/** An ADTS frame at 48 kHz. */
function aFrame(length: number): number[] {
  const header = [
    0xff,
    0xf1,
    0x4c,
    0x80 | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  ]
  return [...header, ...Array<number>(length - 7).fill(0xff)]
}

/** A payload in packets; the last one is padded before its payload. */
function packets(pid: number, payload: readonly number[]): number[] {
  const all: number[] = []
  for (let at = 0; at < payload.length; at += 184) {
    const part = payload.slice(at, at + 184)
    const stuffing = 184 - part.length
    const field =
      stuffing === 0 ? [] : [stuffing - 1, 0, ...Array<number>(Math.max(0, stuffing - 2)).fill(0xff)]
    all.push(0x47, (at === 0 ? 0x40 : 0) | (pid >> 8), pid & 0xff, stuffing === 0 ? 0x10 : 0x30)
    all.push(...field.slice(0, stuffing), ...part)
  }
  return all
}

const PES = [0, 0, 1, 0xc0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1]

test('audio frames are counted across packets, and nothing else is', () => {
  const sound = packets(0x101, [...PES, ...aFrame(300), ...aFrame(8), ...aFrame(500)])
  const more = packets(0x101, [...PES, ...aFrame(190)])
  const picture = packets(0x100, [...PES, ...aFrame(300)])

  assert.equal(countSoundFrames(Uint8Array.from([...sound, ...picture, ...more])), 4)
  assert.equal(countSoundFrames(Uint8Array.from(picture)), 0)
  assert.equal(countSoundFrames(new Uint8Array(0)), 0)
})

test('a truncated frame does not count', () => {
  const cut = packets(0x101, [...PES, ...aFrame(300), ...aFrame(300).slice(0, 200)])

  assert.equal(countSoundFrames(Uint8Array.from(cut)), 1)
})
