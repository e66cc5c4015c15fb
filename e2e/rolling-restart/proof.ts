import { round } from '../../tools/figures/figures.ts'
import { proof } from '../proofs/proof.ts'
import { LONGEST_DRAIN_MS } from './api-pair.ts'
import { rollRestarts } from './roll-restarts.ts'

export const rollingRestart = proof({
  name: 'rolling-restart',
  title: 'Rolling restarts under load',
  promise:
    'Two API processes behind nginx, with the configuration that we ship. While clients read and write, one process ' +
    'after the other gets SIGTERM, ends, and is started again. No request fails: each gets its right answer within ' +
    '10 s, and the client tries nothing twice. A POST that is half sent when its process gets SIGTERM is answered too. ' +
    'No POST reaches the processes twice. Every channel that was asked for is there once, also when the same POST is ' +
    'sent again with its Idempotency-Key, and every session that was renewed all the while still lives. Operations ' +
    'that are not built answer 501, which is the right answer here.',
  // At this pace there is time for more restarts than are asked for.
  sizes: {
    small: { requests: 2_000, perSecond: 400, restarts: 2 },
    full: { requests: 20_000, perSecond: 500, restarts: 8 },
  },
  async run({ size, seed, ...context }) {
    const rolled = await rollRestarts({ ...size, seed, say: (line) => context.say(line) })
    const { load, stops, posts, complaints, effects } = rolled
    const slowPosts = stops.reduce((sum, stop) => sum + stop.slowPosts, 0)
    const slowFailures = stops.flatMap((stop) => stop.slowFailures)
    const failures = [...load.failures, ...slowFailures, ...effects.repeatFailures]
    const troubles = [...failures.slice(0, 5), ...complaints.slice(0, 5)]
    for (const line of troubles) context.say(line)
    const latenciesMs = load.latenciesMs.toSorted((a, b) => a - b)
    const quantile = (share: number) =>
      round(latenciesMs[Math.ceil(latenciesMs.length * share) - 1] ?? Number.NaN, 1)
    const distinctPosts = new Set(posts).size
    return {
      figures: {
        requests: latenciesMs.length,
        failed: failures.length,
        troubles_seen: troubles.join('; ') || 'none',
        restarts: stops.length,
        requests_in_flight_at_sigterm: Math.min(...stops.map(({ inFlight }) => inFlight)),
        requests_answered_while_draining: rolled.answeredWhileDraining,
        drain_exit_codes_other_than_0: stops.filter(({ exit }) => exit !== 'ended with code 0').length,
        slowest_drain_ms: round(Math.max(...stops.map(({ drainMs }) => drainMs)), 0),
        // A request that can be repeated goes to the other process then, and nobody notices.
        connections_broken: complaints.length,
        posts_sent: load.postsSent + slowPosts,
        // Sent beside the load, so they are not among the requests above.
        slow_posts: slowPosts,
        posts_that_reached_a_process: distinctPosts,
        posts_that_arrived_twice: posts.length - distinctPosts,
        channels_asked_for: effects.channelsAsked,
        channels_made: effects.channelsMade,
        channels_made_twice: effects.channelsMadeTwice,
        posts_repeated_with_their_key: effects.postsRepeated,
        sessions_renewed: effects.sessions,
        sessions_living: effects.sessionsLiving,
        latency_p50_ms: quantile(0.5),
        latency_p99_ms: quantile(0.99),
        latency_max_ms: quantile(1),
      },
      targets: {
        requests: { is: size.requests },
        failed: { is: 0 },
        restarts: { atLeast: size.restarts },
        requests_in_flight_at_sigterm: { atLeast: 1 },
        requests_answered_while_draining: { atLeast: 1 },
        drain_exit_codes_other_than_0: { is: 0 },
        // A drain that lasts longer has cut connections.
        slowest_drain_ms: { atMost: LONGEST_DRAIN_MS },
        slow_posts: { atLeast: size.restarts },
        posts_that_reached_a_process: { is: load.postsSent + slowPosts },
        posts_that_arrived_twice: { is: 0 },
        channels_asked_for: { atLeast: 1 },
        channels_made: { is: effects.channelsAsked },
        channels_made_twice: { is: 0 },
        sessions_living: { is: effects.sessions },
      },
    }
  },
})
