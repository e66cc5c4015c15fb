import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src'

export const sessionMutants: ListedMutants = {
  area: 'sessions',
  mutants: [
    {
      id: 'd01',
      title: 'the grace period includes its last millisecond',
      change: {
        file: `${core}/sessions/decide-refresh.ts`,
        from: 'nowMs < session.replacedMs + GRACE_MS',
        to: 'nowMs <= session.replacedMs + GRACE_MS',
      },
      tests: [`${core}/sessions/decide-refresh.test.ts`],
    },
    {
      id: 'd02',
      title: 'an older credential is repeated whatever its number',
      change: {
        file: `${core}/sessions/decide-refresh.ts`,
        from: 'presented.number === session.number - 1 && presented.matches',
        to: 'presented.matches',
      },
      tests: [`${core}/sessions/decide-refresh.test.ts`],
    },
  ],
}
