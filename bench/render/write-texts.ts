/** The bytes of a playlist. */
export function writeTexts(texts: readonly string[]): Buffer {
  let length = 0
  for (const text of texts) length += text.length
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const text of texts) at += bytes.write(text, at, 'latin1')
  return bytes
}
