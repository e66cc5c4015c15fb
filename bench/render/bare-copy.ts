/** A range of existing bytes. */
export interface Range {
  readonly source: Buffer
  readonly from: number
  readonly to: number
}

/** The cost of a playlist without any lookup: a new buffer, and the ranges copied into it. */
export function copyRanges(ranges: readonly Range[], length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const { source, from, to } of ranges) at += source.copy(bytes, at, from, to)
  return bytes
}

/**
 * The ranges of a playlist's texts: lines of segments are in the playlist of the whole asset, which `findWhole` returns
 * by a line; each of the other texts is a prepared buffer.
 */
export function rangesOf(texts: readonly string[], findWhole: (line: string) => Buffer): Range[] {
  return joinAlike(texts).map((text) => {
    const source = isOfSegments(text) ? findWhole(text) : Buffer.from(text, 'latin1')
    const from = source.indexOf(text, 0, 'latin1')
    return { source, from, to: from + text.length }
  })
}

const isOfSegments = (text: string): boolean => text.startsWith('#EXTINF')

function joinAlike(texts: readonly string[]): string[] {
  const joined: string[] = []
  for (const text of texts) {
    const last = joined.at(-1)
    if (last !== undefined && isOfSegments(last) === isOfSegments(text)) joined.push(joined.pop()! + text)
    else joined.push(text)
  }
  return joined
}
