/** An object printed by ffprobe, with unknown fields. */
export type ProbedFields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is ProbedFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, 64) : undefined

/** ffprobe prints some numbers as numbers and others as text. */
export function numberOf(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^-?\d{1,15}(\.\d{1,12})?$/.test(value)
  const number = typeof value === 'number' || isText ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** An integer not below `least`. */
export function countOf(value: unknown, least: number): number | undefined {
  const number = numberOf(value)
  return number !== undefined && Number.isSafeInteger(number) && number >= least ? number : undefined
}

/** A ratio such as `30000/1001` or `4:3`; undefined if one side is zero. */
export function ratioOf(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^(\d{1,10})[/:](\d{1,10})$/.exec(value) : null
  const ratio = match === null ? 0 : Number(match[1]) / Number(match[2])
  return ratio > 0 && Number.isFinite(ratio) ? ratio : undefined
}
