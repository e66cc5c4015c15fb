import { RecordChanged } from './errors.ts'

/** The entity tag of a record: its version, which every change increments. */
export const recordEtag = (version: number): string => `"${version}"`

/**
 * Requires that the caller has seen the record that it changes. A caller without If-Match overwrites any version.
 *
 * RFC 9110 §13.1.1 requires strong comparison: a weak tag only states equivalence, and a change based on that could undo
 * another.
 */
export function requireMatch(call: { readonly ifMatch: string | undefined }, etag: string): void {
  const { ifMatch } = call
  if (ifMatch === undefined || isAny(ifMatch)) return
  if (etag.startsWith(WEAK) || !tagsOf(ifMatch).includes(etag)) throw RecordChanged()
}

/** The same for a record, as a check that runs when the record is locked. */
export const requireSeen =
  (call: { readonly ifMatch: string | undefined }) =>
  ({ version }: { readonly version: number }): void =>
    requireMatch(call, recordEtag(version))

/** Whether a caller already has the version of `etag`. RFC 9110 §13.1.2 compares weak and strong tags alike. */
export function isCached(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || isAny(ifNoneMatch)) return true
  const opaque = opaqueOf(etag)
  return tagsOf(ifNoneMatch).some((tag) => opaqueOf(tag) === opaque)
}

const WEAK = 'W/'

/** RFC 9110 §8.8.3. A tag may contain commas, so a list cannot be split at them. */
const TAG = /(?<![^ \t,])(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?![^ \t,])/g

const isAny = (list: string) => list.trim() === '*'
const tagsOf = (list: string): readonly string[] => list.match(TAG) ?? []
const opaqueOf = (tag: string) => (tag.startsWith(WEAK) ? tag.slice(WEAK.length) : tag)
