/** Reads an option that has one of a few values. */
export function oneOf<const V extends number | string>(...values: readonly V[]) {
  return (text: string) => {
    const value = values.find((allowed) => String(allowed) === text)
    return value === undefined ? { fault: `is ${values.join(' or ')}, not "${text}".` } : { value }
  }
}
