import { round } from '@continuity/dev/figures'
import { proof } from '../proof.ts'
import { USERS } from './api-pair.ts'
import { rollRestarts } from './roll-restarts.ts'

/** All but the first are renewed during the run. */
const RENEWED_SESSIONS = USERS - 1
const REPEATED_POSTS = 50

export const rollingRestart = proof({
  name: 'rolling-restart',
  title: 'Rolling restarts under load',
  promise:
    'Two API processes behind nginx, with the configuration that we ship. While clients read and write, one process ' +
    'after the other gets SIGTERM, exits, and is started again. No request fails: each gets its right answer within ' +
    '10 s, and the client retries none. A POST that is half sent when its process gets SIGTERM is answered too. ' +
    'No POST reaches the processes twice. Every channel that was requested exists once, also when the same POST is ' +
    'sent again with its Idempotency-Key, and every session that was renewed all the while is still valid.',
  // At this pace there is time for more restarts than are required.
  sizes: {
    small: { requests: 600, perSecond: 200, restarts: 2 },
    full: { requests: 20_000, perSecond: 500, restarts: 8 },
  },
  async run({ size, seed, ...context }) {
    const rolled = await rollRestarts({ ...size, seed, log: (line) => context.log(line) })
    const { load, stops, posts, complaints, effects } = rolled
    const slowPosts = stops.reduce((sum, stop) => sum + stop.slowPosts, 0)
    const slowFailures = stops.flatMap((stop) => stop.slowFailures)
    const failures = [...load.failures, ...slowFailures, ...effects.repeatFailures]
    const troubles = [...failures.slice(0, 5), ...complaints.slice(0, 5)]
    for (const line of troubles) context.log(line)
    const latenciesMs = load.latenciesMs.toSorted((a, b) => a - b)
    const quantile = (share: number) =>
      round(latenciesMs[Math.ceil(latenciesMs.length * share) - 1] ?? Number.NaN, 1)
    const distinctPosts = new Set(posts).size
    const successes = [...load.byStatus].reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0)
    return {
      figures: {
        requests: latenciesMs.length,
        answered_with_success: successes,
        failed: failures.length,
        restarts: stops.length,
        requests_in_flight_at_sigterm_fewest: Math.min(...stops.map(({ inFlight }) => inFlight)),
        requests_answered_by_a_restarted_process_fewest: Math.min(...rolled.answered),
        restarts_with_requests_answered_while_draining: rolled.answeredWhileDraining.filter((n) => n > 0)
          .length,
        requests_answered_while_draining: rolled.answeredWhileDraining.reduce((sum, n) => sum + n, 0),
        drain_exit_codes_other_than_0: stops.filter(({ exit }) => exit !== 'ended with code 0').length,
        drains_that_cut_connections: rolled.drainsThatCutConnections,
        slowest_drain_ms: round(Math.max(...stops.map(({ drainMs }) => drainMs)), 0),
        // nginx retries a request that can be repeated on the other process, so that no client notices.
        connections_broken: complaints.length,
        posts_sent: load.postsSent + slowPosts,
        // Sent beside the load, so they are not among the requests above.
        slow_posts: slowPosts,
        posts_that_reached_a_process: distinctPosts,
        posts_that_arrived_twice: posts.length - distinctPosts,
        channels_requested: effects.channelsRequested,
        channels_made: effects.channelsMade,
        channels_made_twice: effects.channelsMadeTwice,
        posts_repeated_with_their_key: effects.postsRepeated,
        sessions_renewed: effects.renewals,
        sessions_valid: effects.sessionsLiving,
        latency_p50_ms: quantile(0.5),
        latency_p99_ms: quantile(0.99),
        latency_max_ms: quantile(1),
      },
      targets: {
        requests: { is: size.requests },
        answered_with_success: { atLeast: 0.7 * size.requests },
        failed: { is: 0 },
        restarts: { atLeast: size.restarts },
        requests_in_flight_at_sigterm_fewest: { atLeast: 1 },
        requests_answered_by_a_restarted_process_fewest: { atLeast: 1 },
        restarts_with_requests_answered_while_draining: { atLeast: size.restarts },
        drain_exit_codes_other_than_0: { is: 0 },
        drains_that_cut_connections: { is: 0 },
        posts_sent: { atLeast: size.requests / 3 },
        slow_posts: { atLeast: size.restarts },
        posts_that_reached_a_process: { is: load.postsSent + slowPosts },
        posts_that_arrived_twice: { is: 0 },
        channels_requested: { atLeast: size.requests / 10 },
        channels_made: { is: effects.channelsRequested },
        channels_made_twice: { is: 0 },
        posts_repeated_with_their_key: { is: REPEATED_POSTS },
        sessions_renewed: { atLeast: size.requests / 50 },
        sessions_valid: { is: RENEWED_SESSIONS },
      },
    }
  },
})
