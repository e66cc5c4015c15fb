import type { Video } from '../shared/wire-types.ts'

/**
 * The numbers of a season for its videos in another order: those that it has, so that one which is missing stays missing,
 * and the next ones for videos without a number or with one that another has too.
 */
export function numbersFor(videos: readonly Pick<Video, 'episode_number'>[]): readonly number[] {
  const numbers = [
    ...new Set(videos.flatMap(({ episode_number }) => (episode_number === null ? [] : [episode_number]))),
  ].toSorted((one, other) => one - other)
  while (numbers.length < videos.length) numbers.push((numbers.at(-1) ?? 0) + 1)
  return numbers
}
