import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src'

export const guideMutants: ListedMutants = {
  area: 'guide',
  mutants: [
    {
      id: 'g01',
      title: 'an airing that ended where the range begins is in it',
      change: {
        file: `${core}/guide/guide-between.ts`,
        from: 'endMs > params.fromMs',
        to: 'endMs >= params.fromMs',
      },
      tests: [`${core}/guide/guide-between.test.ts`],
    },
    {
      id: 'g02',
      title: 'a committed end that is rounded up splits a program',
      change: {
        file: `${core}/guide/guide-between.ts`,
        from: 'committedTicks - last.endTicks < ticksOf(1)',
        to: 'committedTicks <= last.endTicks',
      },
      tests: [`${core}/guide/guide-between.test.ts`],
    },
    {
      id: 'g03',
      title: 'an open override ends with a program that is over',
      change: { file: `${core}/guide/open-override.ts`, from: 'endMs > atMs', to: 'endMs >= atMs' },
      tests: [`${core}/guide/open-override.test.ts`, `${core}/guide/guide-between.test.ts`],
    },
  ],
}
