/** An MP4 box: length, name, content. */
export function box(name: string, ...parts: readonly Buffer[]): Buffer {
  const inner = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(inner.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, inner])
}

export const uint32 = (...values: readonly number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      return bytes
    }),
  )

/** Replaces the box at a path of names, and updates the lengths of the boxes around it. */
export function replaceBox(data: Buffer, [name = '', ...inner]: readonly string[], by: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at + 8 <= data.length; at += data.readUInt32BE(at)) {
    const whole = data.subarray(at, at + data.readUInt32BE(at))
    const isIt = whole.toString('latin1', 4, 8) === name
    if (!isIt) parts.push(whole)
    else parts.push(inner.length === 0 ? by : box(name, replaceBox(whole.subarray(8), inner, by)))
  }
  return Buffer.concat(parts)
}

/** A copy with bytes overwritten at an offset from a pattern. */
export function patch(data: Buffer, pattern: Buffer | string, offset: number, bytes: Buffer): Buffer {
  const at = data.indexOf(pattern)
  if (at < 0) throw new Error(`${String(pattern)} is not in the file`)
  const copy = Buffer.from(data)
  bytes.copy(copy, at + offset)
  return copy
}
