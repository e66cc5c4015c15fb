import type { Tone } from '../shared/status-badge.tsx'
import { timeLeft } from '../shared/times.ts'
import type { Video } from '../shared/wire-types.ts'

export const statusWords: Readonly<Record<Video['status'], string>> = {
  DRAFT: 'Draft',
  PROCESSING: 'Processing',
  READY: 'Ready',
  DISABLED: 'Disabled',
  ERROR: 'Error',
}

export const statusTones: Readonly<Record<Video['status'], Tone>> = {
  DRAFT: 'quiet',
  PROCESSING: 'busy',
  READY: 'good',
  DISABLED: 'quiet',
  ERROR: 'bad',
}

export const lengthText = ({ duration }: Pick<Video, 'duration'>): string => timeLeft(duration * 1_000)

/** Season 1, episode 3; undefined for a video without numbers. */
export function episodeText({
  season_number,
  episode_number,
}: Pick<Video, 'season_number' | 'episode_number'>): string | undefined {
  const parts = [
    ...(season_number === null ? [] : [`season ${season_number}`]),
    ...(episode_number === null ? [] : [`episode ${episode_number}`]),
  ]
  const text = parts.join(', ')
  return text === '' ? undefined : text.charAt(0).toUpperCase() + text.slice(1)
}

export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`
