import { createHash } from 'node:crypto'
import { addressesOf, type Endpoint, operations } from '@continuity/contract'
import { type Answer, type Request, send } from './send.ts'

/** A request whose right answer is known. */
export interface KnownRequest extends Request {
  readonly expected: string
}

const BROKEN = new Set([400, 401, 403, 408, 413, 415, 429, 500, 502, 503, 504])

/**
 * Reads and writes, small and large, one as often as the other.
 *
 * What is right is learnt from a process at rest, so that an operation can be
 * built without a word about it here. An answer that says that the request or
 * the process is broken teaches nothing, and is refused.
 */
export async function learnRequests(
  port: number,
  headers: Readonly<Record<string, string>>,
): Promise<KnownRequest[]> {
  const { listVideos, scheduleProgram, searchVideos } = operations
  const schedule = scheduleProgram.example.body
  const requests: readonly Request[] = [
    requestFor(listVideos, headers),
    requestFor(searchVideos, headers),
    requestFor(scheduleProgram, headers),
    // 23 kB: more than the 16 kB that nginx keeps in memory, so that its temporary files take part.
    requestFor(scheduleProgram, headers, {
      ...schedule,
      videos: Array.from({ length: 40 }, () => schedule.videos).flat(),
    }),
    // The one large answer: a connection that is cut shows in the middle of it.
    { method: 'GET', path: '/openapi/2.1.json', headers: {}, body: undefined, isFixed: true },
  ]
  return Promise.all(
    requests.map(async (request) => {
      const answer = await send({ port, agent: false, id: 'learn', request })
      const expected = describeAnswer(request, answer)
      if (BROKEN.has(answer.status))
        throw new Error(`${request.method} ${request.path} gives ${expected} at rest.`)
      return { ...request, expected }
    }),
  )
}

/** The status, and the problem's code or, where every answer is the same, a digest of the content. */
export function describeAnswer(request: Request, { status, type, body }: Answer): string {
  if (type.startsWith('application/problem+json')) {
    const { code }: { code: string } = JSON.parse(body.toString())
    return `${status} ${code}`
  }
  if (!request.isFixed) return `${status} ${type}`
  return `${status} ${createHash('sha256').update(body).digest('base64url')}`
}

function requestFor(e: Endpoint, headers: Readonly<Record<string, string>>, body = e.example.body): Request {
  const json = body === undefined ? undefined : JSON.stringify(body)
  return {
    method: e.method,
    path: addressesOf(e)[0]!,
    headers: json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    body: json,
    isFixed: false,
  }
}
