import type { Output } from '../shared/wire-types.ts'

export const markerWords: Readonly<Record<Output['markers'], string>> = {
  DATERANGE: 'Date ranges with SCTE-35 (EXT-X-DATERANGE)',
  CUE: 'Cue tags (EXT-X-CUE-OUT and EXT-X-CUE-IN)',
  BOTH: 'Date ranges and cue tags',
  NONE: 'Not marked',
}

export const breakWords: Readonly<Record<Output['break_policy'], string>> = {
  ACTUAL: 'The markers of a break that is ended early end with it',
  FULL_LENGTH: 'The markers of a break that is ended early run to full length',
}

export const audienceWords: Readonly<Record<Output['audience_source'], string>> = {
  NODES: 'Counted by playout nodes',
  LOGS: 'Counted from imported access logs of a cache',
}

/** 3,600,000 is "1 hour". */
export function lengthWords(ms: number): string {
  const seconds = ms / 1_000
  if (seconds % 3_600 === 0 && seconds > 0) return plural(seconds / 3_600, 'hour')
  if (seconds % 60 === 0 && seconds > 0) return plural(seconds / 60, 'minute')
  return plural(seconds, 'second')
}

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** What the distributor gets, a sentence each. */
export const outputTexts = (output: Output): readonly string[] => [
  `A live playlist of ${lengthWords(output.window_ms)}, ${
    output.delay_ms === 0
      ? 'with the channel'
      : `${lengthWords(output.delay_ms)} behind the channel, with its guide`
  }.`,
  `Ad breaks: ${markerWords[output.markers].replace(/^./, (letter) => letter.toLowerCase())}.`,
  ...(output.markers === 'NONE' ? [] : [`${breakWords[output.break_policy]}.`]),
  `Viewers: ${audienceWords[output.audience_source].replace(/^./, (letter) => letter.toLowerCase())}.`,
  ...(output.key === null ? [] : [`The distributor knows the channel as ${output.key}.`]),
]
