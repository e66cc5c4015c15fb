/** Whether a record already has all these values. */
export function isSame<T extends object>(record: T, changes: Partial<T>): boolean {
  return Object.entries(changes).every(([name, value]) => record[name as keyof T] === value)
}
