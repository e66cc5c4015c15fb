/** A playlist or a guide with every date this much later, and nothing else changed. */
export const shiftDates = (text: string, byMs: number): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (date) =>
    new Date(Date.parse(date) + byMs).toISOString(),
  )
