import { Problem } from '@continuity/contract'
import { compileCheck } from '../../packages/server/src/http/schema-validator.ts'
import type { FuzzOperation, FuzzRequest } from './request-arbitrary.ts'
import type { WireAnswer } from './wire-request.ts'

const checkProblem = compileCheck(Problem)

/** Says what is wrong with an answer, or nothing. */
export type CheckAnswer = (request: FuzzRequest, answer: WireAnswer) => string | undefined

/** Every error is a problem, every success is as the document says, and nothing is our fault but what is not built. */
export function compileAnswerCheck({ document, operation }: FuzzOperation): CheckAnswer {
  const checks = new Map(
    Object.entries(operation.responses).map(([status, { content }]) => {
      const schema = content?.['application/json']?.schema
      return [Number(status), schema && compileCheck({ ...schema, components: document.components })] as const
    }),
  )
  return (request, answer) => {
    const { status } = answer
    if (status >= 500 && status !== 501 && status !== 503) return `answered ${status}`
    if (request.kind === 'valid' && status >= 400 && status !== 501)
      return `a valid request was refused: ${answer.body.toString()}`
    if (request.method === 'HEAD' || status === 204 || status === 304) return undefined
    if (status >= 400) return checkRefusal(answer)
    const isOurs = request.kind === 'valid'
    const check = checks.get(status)
    if (!isOurs) return undefined
    if (check === undefined) return checks.has(status) ? undefined : `${status} is not in the document`
    const faults = check(JSON.parse(answer.body.toString()))
    return faults.length === 0 ? undefined : `the answer is not as documented: ${JSON.stringify(faults)}`
  }
}

function checkRefusal(answer: WireAnswer): string | undefined {
  if (!String(answer.headers['content-type']).startsWith('application/problem+json')) {
    return `${answer.status} is no problem+json but ${String(answer.headers['content-type'])}`
  }
  const problem = parse(answer.body)
  const faults = checkProblem(problem)
  if (faults.length > 0) return `not a valid problem: ${JSON.stringify(faults)}`
  const { status, detail, message } = problem as Problem
  if (status !== answer.status) return `the problem says ${status}, the answer ${answer.status}`
  if (message !== detail) return 'message is not the same text as detail'
  if (/\bat .+:\d+:\d+|node_modules|\.ts\b/.test(detail)) return `the detail tells of our code: ${detail}`
  return undefined
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
