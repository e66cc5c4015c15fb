import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src'

export const asRunMutants: ListedMutants = {
  area: 'as-run',
  mutants: [
    {
      id: 'a01',
      title: 'time that is missing does not close an entry',
      change: {
        file: `${core}/as-run/as-run.ts`,
        from: 'startTicks === open.endTicks &&\n  breakSequence',
        to: 'breakSequence',
      },
      tests: [`${core}/as-run/as-run.test.ts`],
    },
    {
      id: 'a02',
      title: 'the next ad break does not close an entry',
      change: {
        file: `${core}/as-run/as-run.ts`,
        from: '  breakSequence === open.breakSequence &&\n',
        to: '',
      },
      tests: [`${core}/as-run/as-run.test.ts`],
    },
  ],
}
