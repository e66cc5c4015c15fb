import { type Endpoint, errorsOf, operations, Problem } from '@continuity/contract'
import { errorTable } from '@continuity/server/owner'
import * as httpErrors from '../../packages/server/src/http/errors.ts'
import { compileCheck } from '../../packages/server/src/http/schema-validator.ts'
import type { FuzzOperation, FuzzRequest, RequestKind } from './request-arbitrary.ts'
import { jsonOf, type WireAnswer } from './wire-request.ts'

/** Describes the fault of an answer; undefined for a right one. */
export type CheckAnswer = (request: FuzzRequest, answer: WireAnswer) => string | undefined

export interface CheckOptions {
  /** The errors that a valid request may get: none, or those that its operation declares. */
  readonly rejections: 'none' | 'declared'
}

/** Every error is a declared problem, every success matches its schema, and none is a 5xx. */
export function compileAnswerCheck(it: FuzzOperation, { rejections }: CheckOptions): CheckAnswer {
  const checkSuccess = compileSuccessCheck(it)
  const allowed = allowedCodes(it)
  return (request, answer) => {
    const { kind, method } = request
    const { status } = answer
    if (status >= 500 && status !== 501) return `answered ${status}: ${answer.body.toString()}`
    if (kind === 'valid' && rejections === 'none' && status >= 400 && status !== 501)
      return `a valid request was rejected: ${answer.body.toString()}`
    if (method === 'HEAD' || status === 204 || status === 304) return undefined
    if (status >= 400) return checkErrorResponse(request, answer, allowed[kind])
    // Another method or path may be another operation.
    return kind === 'hostile' ? undefined : checkSuccess(answer)
  }
}

function compileSuccessCheck({
  document,
  operation,
}: FuzzOperation): (answer: WireAnswer) => string | undefined {
  const checks = new Map(
    Object.entries(operation.responses).map(([status, { content }]) => {
      const schema = content?.['application/json']?.schema
      return [Number(status), schema && compileCheck({ ...schema, components: document.components })] as const
    }),
  )
  return (answer) => {
    const { status } = answer
    const check = checks.get(status)
    if (check === undefined) return checks.has(status) ? undefined : `${status} is not in the document`
    const faults = check(jsonOf(answer))
    return faults.length === 0 ? undefined : `the answer is not as documented: ${JSON.stringify(faults)}`
  }
}

type Codes = ReadonlyMap<string, number>

const everyCode: Codes = new Map(errorTable.map(({ code, status }) => [code, status]))
const wireCodes = new Map(Object.values(httpErrors).map(({ code, status }) => [code, status]))
const NOT_BUILT = [httpErrors.NotBuilt.code, httpErrors.NotBuilt.status] as const

/** A valid request gets only errors that its operation declares; an invalid one may also get those of the HTTP layer. */
function allowedCodes({ operation }: FuzzOperation): Readonly<Record<RequestKind, Codes>> {
  const id = operation['x-alias-of'] ?? operation.operationId
  const declared = Object.entries(errorsOf((operations as Readonly<Record<string, Endpoint>>)[id]!))
  return {
    valid: new Map([...declared, NOT_BUILT]),
    'near-valid': new Map([...declared, ...wireCodes]),
    hostile: everyCode,
  }
}

function checkErrorResponse(request: FuzzRequest, answer: WireAnswer, allowed: Codes): string | undefined {
  if (!String(answer.headers['content-type']).startsWith('application/problem+json')) {
    return `${answer.status} is not problem+json but ${String(answer.headers['content-type'])}`
  }
  const problem = jsonOf(answer)
  const faults = checkProblem(problem)
  if (faults.length > 0) return `not a valid problem: ${JSON.stringify(faults)}`
  const { status, code, detail, message } = problem as Problem
  if (status !== answer.status) return `the problem has the status ${status}, the answer ${answer.status}`
  if (allowed.get(code) !== status) return `${status} ${code} is not declared: ${detail}`
  if (message !== detail) return 'message is not the same text as detail'
  const ofOurCode = /\bat .+:\d+:\d+|node_modules|\.ts\b/.exec(detail)?.[0]
  if (ofOurCode !== undefined && !isSent(request, ofOurCode)) return `the detail exposes our code: ${detail}`
  return undefined
}

/** A detail may repeat an id of the request. */
function isSent({ path, body }: FuzzRequest, text: string): boolean {
  return path.includes(encodeURIComponent(text)) || (body?.includes(text) ?? false)
}

const checkProblem = compileCheck(Problem)
