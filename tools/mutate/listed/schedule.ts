import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src'

export const scheduleMutants: ListedMutants = {
  area: 'schedule',
  mutants: [
    {
      id: 's01',
      title: 'a window with half a segment left is not entered',
      change: {
        file: `${core}/schedule/lay-out.ts`,
        from: 'if (leftTicks >= NEAR_TICKS)',
        to: 'if (leftTicks > NEAR_TICKS)',
      },
      tests: [`${core}/schedule/lay-out.test.ts`, `${core}/schedule/lay-out-properties.test.ts`],
    },
    {
      id: 's02',
      title: 'what rounding a pod takes is not used up',
      change: {
        file: `${core}/schedule/item-lengths.ts`,
        from: '    spareTicks -= ticks - requested\n',
        to: '',
      },
      tests: [`${core}/schedule/item-lengths.test.ts`],
    },
    {
      id: 's03',
      title: 'the rest of a pod is rounded down where its slate has changed',
      change: {
        file: `${core}/schedule/continue-program.ts`,
        from: 'Math.ceil(leftTicks / loopOf',
        to: 'Math.floor(leftTicks / loopOf',
      },
      tests: [`${core}/schedule/continue-program.test.ts`],
    },
    {
      id: 's04',
      title: 'of two places that are equally near it is the later',
      change: {
        file: `${core}/schedule/join-plan.ts`,
        from: 'return after < before',
        to: 'return after <= before',
      },
      tests: [`${core}/schedule/join-plan.test.ts`],
    },
    {
      id: 's05',
      title: 'a gap of 30 s is short',
      change: {
        file: `${core}/schedule/plan-fill.ts`,
        from: 'const isLong = gap.ticks >= LONG_GAP_TICKS',
        to: 'const isLong = gap.ticks > LONG_GAP_TICKS',
      },
      tests: [`${core}/schedule/plan-fill.test.ts`],
    },
    {
      id: 's06',
      title: 'a plan that several late items have moved is not tried',
      change: {
        file: `${core}/schedule/enter-program.ts`,
        from: '[...moves, moves.reduce((sum, it) => sum + it, 0)]',
        to: 'moves',
      },
      tests: [`${core}/schedule/continue-program.test.ts`],
    },
    {
      id: 's07',
      title: 'the item that is shown last is reported as left out',
      change: {
        file: `${core}/schedule/leave-out.ts`,
        from: 'if (item <= shown ||',
        to: 'if (item < shown ||',
      },
      tests: [`${core}/schedule/continue-program.test.ts`],
    },
  ],
}
