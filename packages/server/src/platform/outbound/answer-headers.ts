type Header = (name: string) => string | undefined

/**
 * A validator that changes with every byte: a strong ETag, else a Last-Modified that is older than the answer (RFC 9110
 * §8.8.2.2). A weak ETag only states equivalence; joining parts of two equivalent files gives a broken film.
 */
export function validatorOf(header: Header): string | null {
  const etag = header('etag')
  if (etag !== undefined) return STRONG_TAG.test(etag) ? etag : null
  const changed = header('last-modified') ?? ''
  const changedMs = Date.parse(changed)
  const answeredMs = Date.parse(header('date') ?? '')
  return answeredMs - changedMs >= 1_000 ? changed : null
}

// RFC 9110 §8.8.3, ASCII only, since other characters do not survive a header.
const STRONG_TAG = /^"[\x21\x23-\x7e]*"$/

export interface ContentRange {
  /** Undefined in the answer to an unsatisfiable range. */
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
