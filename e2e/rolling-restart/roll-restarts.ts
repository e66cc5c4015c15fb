import { readApiLog } from './api-log.ts'
import { type RunningApi, startApiPair } from './api-pair.ts'
import { type LoadResult, startLoad } from './load.ts'
import { readComplaints } from './nginx.ts'
import { learnRequests } from './request-mix.ts'
import { seededRandom } from './seeded-random.ts'
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
  readonly answeredWhileDraining: number
  /** What nginx complained about. */
  readonly complaints: readonly string[]
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
  const mix = await learnRequests(pair.apis[0].port, pair.headers)
  const slowPost = mix.find(({ method }) => method === 'POST')!
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
  let answeredWhileDraining = 0
  const collectLog = async (ended: RunningApi) => {
    const log = await readApiLog(ended)
    posts.push(...log.posts)
    answeredWhileDraining += log.answeredWhileDraining
  }

  let [next, other] = pair.apis
  for (;;) {
    const stop = await stopUnderLoad(next, load, slowPost)
    if (stop === undefined) break
    await collectLog(next)
    ;[next, other] = [other, await next.startAgain()]
    stops.push(stop)
    say(
      `${other.name}: ${stop.inFlight} requests in flight, drained in ${Math.round(stop.drainMs)} ms, ready again`,
    )
  }
  const result = await load.ended
  const complaints = await readComplaints(pair.nginx)
  for (const api of [next, other]) {
    await api.child.stop()
    await collectLog(api)
  }
  return { load: result, stops, posts, answeredWhileDraining, complaints }
}
