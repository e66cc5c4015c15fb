let given = 0

/** An address that was not used before. */
export function freshAddress(): string {
  given += 1
  return `10.${given >> 16}.${(given >> 8) & 255}.${given & 255}`
}
