const PROGRAM_DATE = '#EXT-X-PROGRAM-DATE-TIME:'
const START_DATE = /(START-DATE=")([^"]+)(")/

const later = (date: string, byMs: number): string => new Date(Date.parse(date) + byMs).toISOString()

/** A media playlist with its dates this much later. Written apart from the code that prints them. */
export function shiftPlaylist(text: string, byMs: number): string {
  const lines = text.split('\n').map((line) => {
    if (line.startsWith(PROGRAM_DATE)) return `${PROGRAM_DATE}${later(line.slice(PROGRAM_DATE.length), byMs)}`
    return line.startsWith('#EXT-X-DATERANGE:')
      ? line.replace(START_DATE, (_, before: string, date: string, after: string) =>
          [before, later(date, byMs), after].join(''),
        )
      : line
  })
  return lines.join('\n')
}

/** The dates of segments in a media playlist, in milliseconds. */
export const datesOf = (text: string): readonly number[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(PROGRAM_DATE))
    .map((line) => Date.parse(line.slice(PROGRAM_DATE.length)))

interface GuideProgram {
  readonly start_time: string
  readonly end_time: string
}

/** The programs of a guide in JSON, with their times this much later. */
export const shiftGuide = (text: string, byMs: number): readonly GuideProgram[] =>
  (JSON.parse(text) as { readonly programs: readonly GuideProgram[] }).programs.map((program) => ({
    ...program,
    start_time: later(program.start_time, byMs),
    end_time: later(program.end_time, byMs),
  }))
