/**
 * A copy with its fields sorted by name, recursively: equal values have equal JSON, in whatever order their fields were
 * sent. For JSON values.
 */
export function inOrder<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder) as T
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, inside]) => [name, inOrder(inside)])) as T
}
