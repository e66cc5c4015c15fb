/** Whether a record has every one of these values already. */
export function isSame<T extends object>(record: T, changes: Partial<T>): boolean {
  return Object.entries(changes).every(([name, value]) => record[name as keyof T] === value)
}
