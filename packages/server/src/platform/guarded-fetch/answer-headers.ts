type Header = (name: string) => string | undefined

/**
 * What a server recognises its thing by to the byte: a strong ETag, else a time
 * of change that was over when it answered (RFC 9110 §8.8.2.2). A weak ETag only
 * says that two things are as good as each other; halves of both are a broken film.
 */
export function validatorOf(header: Header): string | null {
  const etag = header('etag')
  if (etag !== undefined) return STRONG_TAG.test(etag) ? etag : null
  const changed = header('last-modified') ?? ''
  const changedMs = Date.parse(changed)
  const answeredMs = Date.parse(header('date') ?? '')
  return answeredMs - changedMs >= 1_000 ? changed : null
}

// RFC 9110 §8.8.3, without the characters beyond ASCII that do not survive a header.
const STRONG_TAG = /^"[\x21\x23-\x7e]*"$/

export interface ContentRange {
  /** Undefined in the answer to a range that there is not. */
  readonly fromByte: number | undefined
  readonly totalBytes: number | null
}

/** RFC 9110 §14.4: `bytes 5-9/10`, `bytes 5-9/*`, or without a range `bytes *\/10`. */
export function readContentRange(text: string | undefined): ContentRange | undefined {
  const [, from, to = '', total = ''] =
    /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/.exec(text ?? '') ?? []
  if (total === '' || (from === undefined && total === '*')) return undefined
  const totalBytes = total === '*' ? null : Number(total)
  if (from === undefined) return { fromByte: undefined, totalBytes }
  const isInside = Number(from) <= Number(to) && (totalBytes === null || Number(to) < totalBytes)
  return isInside ? { fromByte: Number(from), totalBytes } : undefined
}
