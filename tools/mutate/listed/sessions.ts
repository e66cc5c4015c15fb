import type { ListedMutants } from '../listed-mutant.ts'

const file = 'packages/core/src/sessions/decide-refresh.ts'
const tests = ['packages/core/src/sessions/decide-refresh.test.ts']

export const sessionMutants: ListedMutants = {
  area: 'sessions',
  mutants: [
    {
      id: 'd01',
      title: 'the grace period includes its last millisecond',
      change: {
        file,
        from: 'nowMs < session.replacedMs + GRACE_MS',
        to: 'nowMs <= session.replacedMs + GRACE_MS',
      },
      tests,
    },
  ],
}
