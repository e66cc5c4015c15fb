import { RecordChanged } from './errors.ts'

/** The entity tag of a record: its version, which every change counts up. */
export const recordEtag = (version: number): string => `"${version}"`

/**
 * Requires that the caller has seen what it is about to change. One that sends
 * no If-Match has chosen to overwrite whatever is there.
 *
 * RFC 9110 §13.1.1 wants tags compared strongly: a weak one names what is only
 * alike, and a change made on that belief could undo another.
 */
export function requireMatch(call: { readonly ifMatch: string | undefined }, etag: string): void {
  const { ifMatch } = call
  if (ifMatch === undefined || isAny(ifMatch)) return
  if (etag.startsWith(WEAK) || !tagsOf(ifMatch).includes(etag)) throw RecordChanged()
}

/** The same for a record, as a check that is made when the record is locked. */
export const requireSeen =
  (call: { readonly ifMatch: string | undefined }) =>
  ({ version }: { readonly version: number }): void =>
    requireMatch(call, recordEtag(version))

/** Whether a caller already holds what `etag` names. RFC 9110 §13.1.2 takes weak tags and strong ones alike. */
export function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || isAny(ifNoneMatch)) return true
  const opaque = opaqueOf(etag)
  return tagsOf(ifNoneMatch).some((tag) => opaqueOf(tag) === opaque)
}

const WEAK = 'W/'

/** RFC 9110 §8.8.3. A tag may hold commas, so a list of them cannot be split there. */
const TAG = /(?<![^ \t,])(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?![^ \t,])/g

const isAny = (list: string) => list.trim() === '*'
const tagsOf = (list: string): readonly string[] => list.match(TAG) ?? []
const opaqueOf = (tag: string) => (tag.startsWith(WEAK) ? tag.slice(WEAK.length) : tag)
