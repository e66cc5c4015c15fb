import type { Endpoint } from '@continuity/contract'
import { ProblemError } from './problem-error.ts'
import { type Read, readProblem } from './read-answer.ts'
import { type AnyInput, buildRequest, type OwnHeaders, type WireRequest } from './request.ts'
import { retrying } from './retry.ts'
import type { Session } from './session-keeper.ts'
import type { Settings } from './settings.ts'
import { UnreachableError } from './unreachable-error.ts'
import { type Limits, withinLimits } from './waiting.ts'

export interface Transfer<T> extends Limits {
  readonly endpoint: Endpoint
  readonly input: AnyInput
  readonly own: OwnHeaders
  readonly read: Read<T>
}

/** One call with one credential, with retries. */
export async function transfer<T>(
  settings: Settings,
  { endpoint, input, own, read, ...limits }: Transfer<T>,
  session: Session | undefined,
): Promise<T> {
  const request = buildRequest(settings.baseUrl, endpoint, input, own, session)
  return retrying(settings, endpoint, limits.signal, () => tryOnce(settings, request, limits, read))
}

async function tryOnce<T>(
  settings: Settings,
  { url, ...init }: WireRequest,
  limits: Limits,
  read: Read<T>,
): Promise<T> {
  // A browser's fetch throws if it is called as a method of another object.
  const { fetch, now } = settings
  try {
    return await withinLimits(limits, async (signal) => {
      // The service never redirects, and fetch would send the credential to any
      // host that a redirect leads to.
      const response = await fetch(url, { ...init, signal, redirect: 'manual' })
      if (!response.ok) throw await readProblem(response, now())
      return await read(response)
    })
  } catch (error) {
    if (error instanceof ProblemError) throw error
    limits.signal?.throwIfAborted()
    throw new UnreachableError({ method: init.method, url }, error)
  }
}
