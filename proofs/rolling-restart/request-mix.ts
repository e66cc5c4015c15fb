import { addressesOf, type Endpoint, operations } from '@continuity/contract'
import { describeAnswer, type KnownRequest } from './request-kinds.ts'
import { type Request, send } from './send.ts'

const DAY_MS = 86_400_000

const BROKEN = new Set([400, 401, 403, 404, 408, 413, 415, 429, 500, 502, 503, 504])

/**
 * Reads and writes, small and large, that are the same each time.
 *
 * The expected answers are those of a process without load, so that operations
 * can change without a change here. Error statuses are not accepted.
 */
export async function prepareRequests(
  port: number,
  headers: Readonly<Record<string, string>>,
  { linear_channel_id: channelId, title }: { readonly linear_channel_id: string; readonly title: string },
): Promise<KnownRequest[]> {
  const { getLinearChannel, listLinearChannels, listVideos, scheduleProgram, searchVideos } = operations
  const { videos } = scheduleProgram.example.body
  // The body is the same each time.
  const program = (inDays: number, items: readonly (typeof videos)[number][]) => ({
    ...scheduleProgram.example.body,
    linear_channel_id: channelId,
    videos: items,
    schedule: { start_time: new Date(Date.now() + inDays * DAY_MS).toISOString(), duration_ms: 7 * DAY_MS },
  })
  const channel = requestFor(getLinearChannel, headers)
  const channels = requestFor(listLinearChannels, headers)
  const requests: readonly Request[] = [
    { ...channel, path: channel.path.replace('{linear_channel_id}', channelId), isFixed: true },
    { ...channels, path: `${channels.path}?linear_channel_name=${title}`, isFixed: true },
    requestFor(listVideos, headers),
    requestFor(searchVideos, headers),
    requestFor(scheduleProgram, headers, program(10, videos)),
    // 23 kB: more than the 16 kB that nginx keeps in memory, so that its temporary files take part.
    requestFor(scheduleProgram, headers, program(20, Array.from({ length: 40 }, () => videos).flat())),
    // The one large answer: a connection that is cut shows in the middle of it.
    { method: 'GET', path: '/openapi/2.1.json', headers: {}, body: undefined, isFixed: true },
  ]
  return Promise.all(
    requests.map(async (request) => {
      const answer = await send({ port, agent: false, id: 'prepare', request })
      const expected = describeAnswer(request, answer)
      if (BROKEN.has(answer.status))
        throw new Error(`${request.method} ${request.path} answers ${expected} without load.`)
      return { ...request, expected }
    }),
  )
}

/** The contract's example of an operation as a request. */
export function requestFor(
  e: Endpoint,
  headers: Readonly<Record<string, string>>,
  body = e.example.body,
): Request {
  const json = body === undefined ? undefined : JSON.stringify(body)
  return {
    method: e.method,
    path: addressesOf(e)[0]!,
    headers: json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    body: json,
    isFixed: false,
  }
}
