/** Of listings that may have millions of records. */
export const limitOption = {
  limit: {
    value: 'COUNT',
    about: 'the most records that are listed; default 50',
    read: (text: string) =>
      /^[1-9]\d{0,6}$/.test(text)
        ? { value: Number(text) }
        : { fault: 'must be a whole number from 1 to 9999999.' },
  },
} as const

const DEFAULT = 50

/** The first records of a listing. No page is requested after the last of them. */
export async function firstOf<T>(records: AsyncIterable<T>, limit = DEFAULT): Promise<readonly T[]> {
  const found: T[] = []
  for await (const record of records) {
    found.push(record)
    if (found.length >= limit) break
  }
  return found
}

/** The size of the pages for a limit. */
export const pageSizeOf = (limit = DEFAULT): number => Math.min(limit, DEFAULT)
