import { median, round } from '../../tools/figures/figures.ts'
import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { startJobSystem } from './job-system.ts'
import { killWorkers } from './kill-workers.ts'
import { rollBack } from './roll-back.ts'
import { stopWorkers } from './stop-workers.ts'

export const jobs = proof({
  name: 'jobs',
  title: 'Jobs of workers that die or stop',
  promise:
    'Worker processes on one PostgreSQL. A job that was left in a transaction that is rolled back never runs. A worker ' +
    'that is killed in the middle of a job is followed by another within 20 s, and the effect of the job happens once. ' +
    'A worker that is stopped (SIGSTOP) until another has its job, and then goes on, can neither finish nor fail it, ' +
    'be it stopped before the effect or in the middle of the transaction of the effect: the effect happens once.',
  sizes: {
    small: { transactions: 10, kills: 1, stops: 1 },
    full: { transactions: 500, kills: 30, stops: 20 },
  },
  async run({ size, seed, ...context }) {
    await using opened = new AsyncDisposableStack()
    const say = (line: string) => context.say(line)
    const system = await startJobSystem(opened)
    const left = await rollBack(system, opened, size.transactions)
    const [kills, before, inside] = await Promise.all([
      killWorkers(system, opened, { times: size.kills, random: seededRandom(seed), say }),
      stopWorkers(system, opened, { job: 'stop', times: size.stops, say }),
      stopWorkers(system, opened, { job: 'stop_inside', times: size.stops, say }),
    ])
    return {
      figures: {
        jobs_committed_and_done: left.kept,
        jobs_rolled_back_and_found: left.rolledBack,
        workers_killed: kills.takeoverMs.length,
        takeover_median_ms: round(median(kills.takeoverMs), 0),
        takeover_worst_ms: round(Math.max(...kills.takeoverMs), 0),
        effects_not_once_after_a_kill: kills.wrongEffects,
        workers_stopped_before_the_effect: size.stops,
        refused_when_they_woke: before.refused,
        jobs_disturbed_by_them: before.disturbed,
        effects_not_once_after_a_stop: before.wrongEffects,
        workers_stopped_inside_the_effect: size.stops,
        refused_inside_when_they_woke: inside.refused,
        effects_not_once_after_a_stop_inside: inside.wrongEffects,
      },
      targets: {
        jobs_committed_and_done: { is: size.transactions },
        jobs_rolled_back_and_found: { is: 0 },
        workers_killed: { is: size.kills },
        takeover_worst_ms: { atMost: 20_000 },
        effects_not_once_after_a_kill: { is: 0 },
        refused_when_they_woke: { is: size.stops },
        jobs_disturbed_by_them: { is: 0 },
        effects_not_once_after_a_stop: { is: 0 },
        refused_inside_when_they_woke: { is: size.stops },
        effects_not_once_after_a_stop_inside: { is: 0 },
      },
    }
  },
})
