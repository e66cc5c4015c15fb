import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src'

export const filterMutants: ListedMutants = {
  area: 'filter',
  mutants: [
    {
      id: 'q01',
      title: 'a hundred conditions are one too many',
      change: {
        file: `${core}/search/filter.ts`,
        from: 'if (nodes > NODES_MAXIMUM)',
        to: 'if (nodes >= NODES_MAXIMUM)',
      },
      tests: [`${core}/search/filter.test.ts`],
    },
    {
      id: 'q02',
      title: 'an empty text exists',
      change: {
        file: `${core}/search/filter.ts`,
        from: "some((value) => value !== '')",
        to: 'some(() => true)',
      },
      tests: [`${core}/search/filter.test.ts`],
    },
    {
      id: 'q03',
      title: 'an empty sub_genre is a value',
      change: {
        file: `${core}/search/filter.ts`,
        from: 'video.genres.map((genre) => genre.sub_genre).filter(Boolean)',
        to: 'video.genres.map((genre) => genre.sub_genre)',
      },
      tests: [`${core}/search/filter.test.ts`],
    },
  ],
}
