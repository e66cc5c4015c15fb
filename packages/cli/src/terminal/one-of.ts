/** Parses an option with a fixed set of values. */
export function oneOf<const V extends number | string>(...values: readonly V[]) {
  return (text: string) => {
    const value = values.find((allowed) => String(allowed) === text)
    return value === undefined ? { fault: `must be ${values.join(' or ')}, not "${text}".` } : { value }
  }
}
