/**
 * The same with its fields by name, fields of fields too: what says the same is
 * the same JSON then, in whatever order it was sent. Takes what JSON can say.
 */
export function inOrder<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder) as T
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, inside]) => [name, inOrder(inside)])) as T
}
