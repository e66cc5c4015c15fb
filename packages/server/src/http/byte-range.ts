export type RangeResult =
  | { readonly kind: 'whole' }
  /** `[from, to)`. */
  | { readonly kind: 'part'; readonly from: number; readonly to: number }
  | { readonly kind: 'outside' }

/** RFC 9110 §14.1.2, one range; the numbers are short enough to be exact. */
const ONE_RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i

/**
 * What of an object a Range header asks for.
 *
 * RFC 9110 §14.2 lets a server pass over a header that it does not take, and
 * the whole is then right: for several ranges at once, which no player sends
 * and which would cost us the most, and for what is no range at all. So is it
 * for an empty object, of which no range could be given.
 */
export function readRange(header: string | undefined, sizeBytes: number): RangeResult {
  const [, first, last] = ONE_RANGE.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || sizeBytes === 0) return { kind: 'whole' }
  if (first === '') return readSuffix(last, sizeBytes)
  const from = Number(first)
  const to = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  if (last !== '' && Number(last) < from) return { kind: 'whole' }
  return from < sizeBytes ? { kind: 'part', from, to } : { kind: 'outside' }
}

/** `-500` asks for the last 500 bytes. */
function readSuffix(length: string, sizeBytes: number): RangeResult {
  if (length === '') return { kind: 'whole' }
  const wanted = Math.min(Number(length), sizeBytes)
  return wanted === 0 ? { kind: 'outside' } : { kind: 'part', from: sizeBytes - wanted, to: sizeBytes }
}
