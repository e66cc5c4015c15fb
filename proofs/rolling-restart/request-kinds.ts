import { createHash } from 'node:crypto'
import type { Answer, Request } from './send.ts'

/** A request with its expected answer. */
export interface KnownRequest extends Request {
  /** In the format of `describeAnswer`. */
  readonly expected: string
}

/** One request of a load. */
export interface PlannedRequest {
  readonly request: KnownRequest
  /** Called with the answer if that is the expected one. */
  readonly take?: (answer: Answer) => void
}

/** Creates the next request of its kind; undefined while there is none. */
export type NextRequest = () => PlannedRequest | undefined

/** A kind of request, and how often it is sent beside the others. */
export interface Share {
  readonly weight: number
  readonly next: NextRequest
}

/** The same request every time. */
export const always =
  (request: KnownRequest): NextRequest =>
  () => ({ request })

/** One kind by its weight, for a random number in [0, 1). */
export function chooseKind(mix: readonly Share[], random: number): NextRequest {
  let left = random * mix.reduce((sum, { weight }) => sum + weight, 0)
  for (const { weight, next } of mix) {
    left -= weight
    if (left < 0) return next
  }
  return mix.at(-1)!.next
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
