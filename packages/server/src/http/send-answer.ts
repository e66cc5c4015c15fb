import type { Endpoint } from '@continuity/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import { Answer } from './answer.ts'
import { varyByEncoding } from './compress.ts'
import { isCached } from './entity-tag.ts'
import { InternalError } from './errors.ts'
import { compileCheck } from './schema-validator.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * The client may cache it and must revalidate; shared caches must not store it, as they do not know that X-Service-Auth
 * is a credential.
 */
const CACHE_CONTROL = 'private, no-cache'

export type SendAnswer = (request: FastifyRequest, reply: FastifyReply, result: unknown) => void

/** Compiles how the result of an endpoint's handler is sent. */
export function compileAnswer(e: Endpoint, isChecked: boolean): SendAnswer {
  const { status } = e.answer
  const check = isChecked ? compileAnswerCheck(e) : undefined

  return (request, reply, result) => {
    check?.(result)
    if (!(result instanceof Answer)) {
      sendText(reply, status, result === undefined ? '' : JSON.stringify(result))
      return
    }
    const { etag, body } = result
    if (etag !== undefined && e.method === 'GET' && isCached(request.headers['if-none-match'], etag)) {
      sendNotModified(reply, etag)
      return
    }
    const text = result.text ?? (body === undefined ? '' : JSON.stringify(body))
    if (etag !== undefined) setTag(reply, etag)
    sendText(reply, result.status ?? status, result.isBytes ? Buffer.from(text, 'latin1') : text)
  }
}

function sendText(reply: FastifyReply, status: number, text: string | Buffer): void {
  reply.code(status)
  if (text.length === 0) reply.send()
  else reply.header('content-type', JSON_TYPE).send(text)
}

/** With the headers of the full answer: RFC 9110 §15.4.5. */
function sendNotModified(reply: FastifyReply, etag: string): void {
  setTag(reply, etag)
  varyByEncoding(reply)
  reply.code(304).send()
}

const setTag = (reply: FastifyReply, etag: string) =>
  reply.header('etag', etag).header('cache-control', CACHE_CONTROL)

/** Throws the faults of an answer. */
function compileAnswerCheck(e: Endpoint): (result: unknown) => void {
  const { schema, status } = e.answer
  const check = schema === undefined ? undefined : compileCheck(schema)

  return (result) => {
    const faults = (check?.(bodyOf(result)) ?? []).map(({ pointer, message }) => `${pointer} ${message}`)
    if (result instanceof Answer && (result.status ?? status) !== status) {
      faults.push(`${result.status}, and declares ${status}`)
    }
    if (faults.length === 0) return
    // Returned to the caller, because only development and tests check answers.
    const cause = new Error(`${e.id} answered: ${faults.join('; ')}`)
    throw new AppError(InternalError, cause.message, { cause })
  }
}

function bodyOf(result: unknown): unknown {
  if (!(result instanceof Answer)) return result
  if (result.text === undefined) return result.body
  if (result.text === '') return undefined
  return JSON.parse(result.isBytes ? Buffer.from(result.text, 'latin1').toString() : result.text)
}
