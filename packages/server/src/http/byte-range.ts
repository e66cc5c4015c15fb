export type RangeResult =
  | { readonly kind: 'whole' }
  /** `[from, to)`. */
  | { readonly kind: 'part'; readonly from: number; readonly to: number }
  | { readonly kind: 'outside' }

/** RFC 9110 §14.1.2, one range; the numbers are short enough to be exact. */
const ONE_RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i

/**
 * The part of an object that a Range header requests.
 *
 * RFC 9110 §14.2 allows a server to ignore the header and send the whole object. That is done for several ranges, which
 * no player sends and which would cost the most, for invalid headers, and for an empty object, which has no range.
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

/** `-500` requests the last 500 bytes. */
function readSuffix(length: string, sizeBytes: number): RangeResult {
  if (length === '') return { kind: 'whole' }
  const wanted = Math.min(Number(length), sizeBytes)
  return wanted === 0 ? { kind: 'outside' } : { kind: 'part', from: sizeBytes - wanted, to: sizeBytes }
}
