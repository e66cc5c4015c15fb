import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src/rules'
const plans = 'packages/server/src/modules/plans'
const tests = [`${plans}/plans.db.test.ts`]

export const plansModule: ListedMutants = {
  area: 'plans',
  mutants: [
    {
      id: 'pl01',
      title: 'a plan is stored although other programs have changed meanwhile',
      change: {
        file: `${plans}/run-planner.ts`,
        from: '&& (await findRulesChange(tx, id)) === input.noted',
        to: '',
      },
      tests,
    },
    {
      id: 'pl02',
      title: 'a plan is stored although the rules have changed meanwhile',
      change: {
        file: `${plans}/run-planner.ts`,
        from: 'present?.version === plan.version &&',
        to: '',
      },
      tests,
    },
    {
      id: 'pl03',
      title: 'what an operator cancels is planned again',
      change: {
        file: 'packages/server/src/modules/programs/change-programs.ts',
        from: "if (program.origin === 'RULE')",
        to: "if (program.origin === 'REQUEST')",
      },
      tests,
    },
    {
      id: 'pl04',
      title: 'positions in series begin again with every plan',
      change: {
        file: `${core}/plan-again.ts`,
        from: 'state: continueState(state, between(state_ms, from_ms), index),',
        to: 'state,',
      },
      tests,
    },
    {
      id: 'pl05',
      title: 'a video that can no longer be played stays in the schedule',
      change: {
        file: `${core}/plan-again.ts`,
        from: 'Math.min(input.from_ms, goneMs)',
        to: 'input.from_ms',
      },
      tests,
    },
    {
      id: 'pl06',
      title: 'a program of an operator does not have rules planned again',
      change: {
        file: 'packages/server/src/modules/schedule/place-program.ts',
        from: "await advanceDue(tx, 'plan_rules', [id.channelId], nowMs + RULES_DELAY_MS)",
        to: '',
      },
      tests,
    },
    {
      id: 'pl07',
      title: 'new rules do not begin at the given time',
      change: {
        file: `${plans}/routes.ts`,
        from: 'call.query.from === undefined ? actor.nowMs : Date.parse(call.query.from)',
        to: 'actor.nowMs',
      },
      tests,
    },
    {
      id: 'pl08',
      title: 'removed rules leave their programs',
      change: {
        file: `${plans}/put-plan.ts`,
        from: '  await replaceRulePrograms(tx, actor, channel, 0, [], { isOffAir })\n',
        to: '',
      },
      tests,
    },
    {
      id: 'pl09',
      title: 'the horizon is not extended',
      change: {
        file: `${plans}/run-planner.ts`,
        from: 'await again(finishMs + (lost > 0 ? AGAIN_MS : isEmpty ? EMPTY_AGAIN_MS : EXTEND_EVERY_MS))',
        to: 'if (lost > 0) await again(finishMs + AGAIN_MS)',
      },
      tests,
    },
    {
      id: 'pl10',
      title: 'new rules are planned with an earlier catalog',
      change: {
        file: `${plans}/planner.ts`,
        from: 'if (isKnown && !isFresh) return thread',
        to: 'if (isKnown) return thread',
      },
      tests,
    },
    {
      id: 'pl11',
      title: 'rules that find nothing do not look for new videos',
      change: {
        file: `${plans}/run-planner.ts`,
        from: 'isEmpty ? nowMs : Infinity,',
        to: 'Infinity,',
      },
      tests,
    },
  ],
}
