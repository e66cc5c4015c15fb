import type { ByteReader, ByteWriter } from './bytes.ts'

const encoder = new TextEncoder()
// Otherwise the decoder drops a leading byte order mark (U+FEFF).
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ID_BYTES = 16

/** A text; a UUID takes 16 bytes instead of 36 characters. */
export function writeText(writer: ByteWriter, text: string): void {
  if (ID.test(text)) {
    writer.count(0)
    writer.bytes(bytesOfId(text))
    return
  }
  const bytes = encoder.encode(text)
  writer.count(bytes.length + 1)
  writer.bytes(bytes)
}

export function readText(reader: ByteReader): string {
  const length = reader.count()
  return length === 0 ? idOfBytes(reader.bytes(ID_BYTES)) : decoder.decode(reader.bytes(length - 1))
}

function bytesOfId(id: string): Uint8Array {
  const digits = id.replaceAll('-', '')
  const bytes = new Uint8Array(ID_BYTES)
  for (let at = 0; at < ID_BYTES; at += 1)
    bytes[at] = 16 * digitAt(digits, 2 * at) + digitAt(digits, 2 * at + 1)
  return bytes
}

/** `parseInt` takes ten times as long, and half of the text of a run is ids. */
function digitAt(digits: string, at: number): number {
  const code = digits.charCodeAt(at)
  return code < LETTER_A ? code - DIGIT_0 : code - LETTER_A + 10
}

const DIGIT_0 = 0x30
const LETTER_A = 0x61

function idOfBytes(bytes: Uint8Array): string {
  let text = ''
  for (const [at, byte] of bytes.entries()) {
    text += (at === 4 || at === 6 || at === 8 || at === 10 ? '-' : '') + hexPairs[byte]!
  }
  return text
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
