import { createClient } from '@continuity/client'
import { readComplaints } from '@continuity/dev/nginx'
import { seededRandom } from '@continuity/dev/seeded-random'
import { readApiLog } from './api-log.ts'
import { type ApiPair, type RunningApi, startApiPair } from './api-pair.ts'
import { createChannelPosts } from './channel-posts.ts'
import { type Effects, readEffects } from './effects.ts'
import { type LoadResult, startLoad } from './load.ts'
import { always, type Share } from './request-kinds.ts'
import { prepareRequests } from './request-mix.ts'
import { fetchOnce } from './send.ts'
import { createRefreshes, credentialOf, loginRequests } from './session-requests.ts'
import { type Stop, stopUnderLoad } from './stop-under-load.ts'

export interface RollOptions {
  readonly requests: number
  readonly perSecond: number
  /** The load lasts for at least so many. */
  readonly restarts: number
  readonly seed: number
  readonly log: (line: string) => void
}

export interface Rolled {
  readonly load: LoadResult
  /** One for each restart. */
  readonly stops: readonly Stop[]
  /** The ids of all POSTs that a process answered, once for each answer. */
  readonly posts: readonly string[]
  /** Of each process that was stopped: how many requests it answered, in all and while it drained. */
  readonly answered: readonly number[]
  readonly answeredWhileDraining: readonly number[]
  readonly drainsThatCutConnections: number
  /** Errors that nginx logged. */
  readonly complaints: readonly string[]
  readonly effects: Effects
}

/** Restarts two processes alternately while the load lasts. */
export async function rollRestarts({
  requests,
  perSecond,
  restarts,
  seed,
  log,
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
    const stop = await stopUnderLoad(next, load, channels.next)
    if (stop === undefined) break
    const apiLog = await collectLog(next)
    answered.push(apiLog.answered)
    answeredWhileDraining.push(apiLog.answeredWhileDraining)
    ;[next, other] = [other, await next.startAgain()]
    stops.push(stop)
    log(
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
  const fixed = await prepareRequests(port, headers, channel)
  const channels = createChannelPosts(headers)
  const refreshes = createRefreshes(renewed)
  const [first, ...others] = fixed.map((request): Share => ({ weight: WEIGHTS.fixed, next: always(request) }))
  const mix: readonly [Share, ...Share[]] = [
    first!,
    ...others,
    { weight: WEIGHTS.channels, next: channels.next },
    { weight: WEIGHTS.refreshes, next: refreshes.next },
    { weight: WEIGHTS.logins, next: loginRequests(logins) },
  ]
  return { mix, channels, refreshes }
}
