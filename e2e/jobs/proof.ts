import { median, round } from '../../tools/figures/figures.ts'
import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { startJobSystem } from './job-system.ts'
import { killWorkers } from './kill-workers.ts'
import { rollBack } from './roll-back.ts'
import { stopWorkers } from './stop-workers.ts'

export const jobs = proof({
  name: 'jobs',
  title: 'Jobs of workers that are killed or stopped',
  promise:
    'Worker processes on one PostgreSQL. A job that was enqueued in a transaction that is rolled back never runs. The ' +
    'job of a worker that is killed in the middle is taken by another within 20 s, and the effect of the job happens ' +
    'once. A worker that is stopped (SIGSTOP) until another has its job, and then continues, can neither finish nor ' +
    'fail it, whether it was stopped before the effect or within the transaction of the effect: the effect happens ' +
    'once.',
  watches: ['packages/server/src/platform/jobs', 'packages/server/src/platform/database', 'e2e/jobs'],
  sabotage: {
    title: 'a worker completes a job without checking that it still has it',
    changes: [
      {
        file: 'packages/server/src/platform/jobs/claim.ts',
        from: '    if (!(await isCurrent(tx, claim))) throw new JobLost(claim.id)\n',
        to: '',
      },
      {
        file: 'packages/server/src/platform/jobs/claim.ts',
        from: '    if (settledBy(completed).length === 0) throw new JobLost(claim.id)\n',
        to: '    settledBy(completed)\n',
      },
    ],
    missed: ['results_rejected_after_sigcont', 'effects_not_once_after_a_stop'],
  },
  sizes: {
    small: { transactions: 10, kills: 1, stops: 1, pickupMs: Number.POSITIVE_INFINITY },
    // On a quiet machine: a slow pickup must not extend the time of a takeover.
    full: { transactions: 500, kills: 30, stops: 20, pickupMs: 500 },
  },
  async run({ size, seed, ...context }) {
    await using opened = new AsyncDisposableStack()
    const log = (line: string) => context.log(line)
    const system = await startJobSystem(opened)
    const left = await rollBack(system, opened, size.transactions)
    const [kills, before, inside] = await Promise.all([
      killWorkers(system, opened, { times: size.kills, random: seededRandom(seed), log }),
      stopWorkers(system, opened, { job: 'stop', times: size.stops, log }),
      stopWorkers(system, opened, { job: 'stop_inside', times: size.stops, log }),
    ])
    const pickupMs = median(kills.pickupMs)
    return {
      figures: {
        jobs_committed_and_done: left.kept,
        jobs_rolled_back_and_found: left.rolledBack,
        pickup_of_an_undisturbed_job_ms: round(pickupMs, 0),
        workers_killed_in_the_middle_of_a_job: kills.struck,
        jobs_of_the_killed_taken_by_another: kills.takenByAnother,
        takeover_median_ms: round(median(kills.takeoverMs), 0),
        takeover_worst_ms: round(Math.max(...kills.takeoverMs), 0),
        effects_not_once_after_a_kill: kills.wrongEffects,
        jobs_taken_by_another_while_stopped_before_the_effect: before.takenByAnother,
        results_rejected_after_sigcont: before.rejected,
        jobs_disturbed_after_sigcont: before.disturbed,
        effects_not_once_after_a_stop: before.wrongEffects,
        jobs_taken_by_another_while_stopped_inside_the_effect: inside.takenByAnother,
        results_rejected_inside_after_sigcont: inside.rejected,
        effects_not_once_after_a_stop_inside: inside.wrongEffects,
      },
      targets: {
        pickup_of_an_undisturbed_job_ms: { atMost: size.pickupMs },
        jobs_committed_and_done: { is: size.transactions },
        jobs_rolled_back_and_found: { is: 0 },
        workers_killed_in_the_middle_of_a_job: { is: size.kills },
        jobs_of_the_killed_taken_by_another: { is: size.kills },
        // On a busy machine a worker without any fault is late as well.
        takeover_worst_ms: { atMost: 20_000 + round(10 * pickupMs, 0) },
        effects_not_once_after_a_kill: { is: 0 },
        jobs_taken_by_another_while_stopped_before_the_effect: { is: size.stops },
        results_rejected_after_sigcont: { is: size.stops },
        jobs_disturbed_after_sigcont: { is: 0 },
        effects_not_once_after_a_stop: { is: 0 },
        jobs_taken_by_another_while_stopped_inside_the_effect: { is: size.stops },
        results_rejected_inside_after_sigcont: { is: size.stops },
        effects_not_once_after_a_stop_inside: { is: 0 },
      },
    }
  },
})
