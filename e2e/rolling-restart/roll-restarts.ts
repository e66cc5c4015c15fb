import { createClient } from '@continuity/client'
import { readApiLog } from './api-log.ts'
import { type ApiPair, type RunningApi, startApiPair } from './api-pair.ts'
import { always, type Share } from './asking.ts'
import { createChannelPosts } from './channel-posts.ts'
import { type Effects, readEffects } from './effects.ts'
import { type LoadResult, startLoad } from './load.ts'
import { readComplaints } from './nginx.ts'
import { learnRequests } from './request-mix.ts'
import { seededRandom } from './seeded-random.ts'
import { fetchOnce } from './send.ts'
import { askLogins, createRefreshes, credentialOf } from './session-requests.ts'
import { type Stop, stopUnderLoad } from './stop-under-load.ts'

export interface RollOptions {
  readonly requests: number
  readonly perSecond: number
  /** The load lasts for as many, at least. */
  readonly restarts: number
  readonly seed: number
  readonly say: (line: string) => void
}

export interface Rolled {
  readonly load: LoadResult
  /** One for each restart. */
  readonly stops: readonly Stop[]
  /** The ids of all POSTs that a process answered, as often as it did. */
  readonly posts: readonly string[]
  /** Of each process that was stopped: how many requests it answered, in all and while it drained. */
  readonly answered: readonly number[]
  readonly answeredWhileDraining: readonly number[]
  readonly drainsThatCutConnections: number
  /** What nginx complained about. */
  readonly complaints: readonly string[]
  readonly effects: Effects
}

/** Restarts two processes in turn for as long as the load lasts. */
export async function rollRestarts({
  requests,
  perSecond,
  restarts,
  seed,
  say,
}: RollOptions): Promise<Rolled> {
  await using opened = new AsyncDisposableStack()
  const pair = await startApiPair(opened)
  const { mix, channels, refreshes } = await prepareMix(pair)
  const stops: Stop[] = []
  const mayEnd = () => stops.length >= restarts
  const load = startLoad({
    port: pair.nginxPort,
    requests,
    perSecond,
    mix,
    random: seededRandom(seed),
    mayEnd,
  })
  opened.defer(() => load.stop())

  const posts: string[] = []
  const answered: number[] = []
  const answeredWhileDraining: number[] = []
  let drainsThatCutConnections = 0
  const collectLog = async (ended: RunningApi) => {
    const log = await readApiLog(ended)
    posts.push(...log.posts)
    drainsThatCutConnections += log.hasCutConnections ? 1 : 0
    return log
  }

  let [next, other] = pair.apis
  for (;;) {
    const stop = await stopUnderLoad(next, load, channels.ask)
    if (stop === undefined) break
    const log = await collectLog(next)
    answered.push(log.answered)
    answeredWhileDraining.push(log.answeredWhileDraining)
    ;[next, other] = [other, await next.startAgain()]
    stops.push(stop)
    say(
      `${other.name}: ${stop.inFlight} requests in flight, drained in ${Math.round(stop.drainMs)} ms, ready again`,
    )
  }
  const result = await load.ended
  const complaints = await readComplaints(pair.nginx)
  const effects = await readEffects(pair, channels, refreshes)
  for (const api of [next, other]) {
    await api.child.stop()
    await collectLog(api)
  }
  return {
    load: result,
    stops,
    posts,
    answered,
    answeredWhileDraining,
    drainsThatCutConnections,
    complaints,
    effects,
  }
}

/** A login costs as much as a hundred reads, and people log in rarely. */
const WEIGHTS = { fixed: 10, channels: 20, refreshes: 10, logins: 1 }

/** Reads of records, writes that must take effect once, sessions that are opened and renewed. */
async function prepareMix({ apis, logins, sessions }: ApiPair) {
  const [{ port }] = apis
  const [own, ...renewed] = sessions
  const headers = credentialOf(own!)
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, fetch: fetchOnce, session: own })
  const channel = await client.createLinearChannel({ body: { title: 'Lasting' } })
  const fixed = await learnRequests(port, headers, channel)
  const channels = createChannelPosts(headers)
  const refreshes = createRefreshes(renewed)
  const [first, ...others] = fixed.map((request): Share => ({ weight: WEIGHTS.fixed, ask: always(request) }))
  const mix: readonly [Share, ...Share[]] = [
    first!,
    ...others,
    { weight: WEIGHTS.channels, ask: channels.ask },
    { weight: WEIGHTS.refreshes, ask: refreshes.ask },
    { weight: WEIGHTS.logins, ask: askLogins(logins) },
  ]
  return { mix, channels, refreshes }
}
