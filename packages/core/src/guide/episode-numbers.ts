import type { ProgramDetails } from '../timeline/span.ts'

export interface EpisodeNumber {
  readonly system: 'xmltv_ns' | 'onscreen'
  readonly value: string
}

/** The number of an episode in both notations of XMLTV; empty if unknown. */
export function episodeNumbersOf({ seasonNumber, episodeNumber }: ProgramDetails): EpisodeNumber[] {
  const numbers: EpisodeNumber[] = []
  const counted = `${countFromZero(seasonNumber)}.${countFromZero(episodeNumber)}.`
  const onscreen = `${printNumber('S', seasonNumber)}${printNumber('E', episodeNumber)}`
  if (counted !== '..') numbers.push({ system: 'xmltv_ns', value: counted })
  if (onscreen !== '') numbers.push({ system: 'onscreen', value: onscreen })
  return numbers
}

/** `xmltv_ns` counts from zero, so it cannot express season 0, which contains specials. */
const countFromZero = (number: number | undefined): string =>
  number !== undefined && number >= 1 ? String(number - 1) : ''

const printNumber = (letter: string, number: number | undefined): string =>
  number !== undefined && number >= 0 ? `${letter}${String(number).padStart(2, '0')}` : ''
