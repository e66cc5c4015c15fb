import { createHash } from 'node:crypto'
import type { Answer, Request } from './send.ts'

/** A request whose right answer is known. */
export interface KnownRequest extends Request {
  /** As `describeAnswer` says it. */
  readonly expected: string
}

/** One request of a load. */
export interface Asked {
  readonly request: KnownRequest
  /** Called with its answer, where that is the right one. */
  readonly take?: (answer: Answer) => void
}

/** Makes the next request of its kind; undefined while there is none to make. */
export type Asking = () => Asked | undefined

/** A kind of request, and how often it is sent beside the others. */
export interface Share {
  readonly weight: number
  readonly ask: Asking
}

/** The same request, time after time. */
export const always =
  (request: KnownRequest): Asking =>
  () => ({ request })

/** One kind by its weight, for a random number in [0, 1). */
export function chooseAsking(mix: readonly Share[], random: number): Asking {
  let left = random * mix.reduce((sum, { weight }) => sum + weight, 0)
  for (const { weight, ask } of mix) {
    left -= weight
    if (left < 0) return ask
  }
  return mix.at(-1)!.ask
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
