import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Problem } from '@continuity/contract'
import { compileCheck } from '../schema-validator.ts'

/** An answer as received over the wire, or from `inject`. */
export interface WireAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Writes raw bytes and returns what was received until the server closed the connection. */
export async function exchange(
  port: number,
  bytes: string | Buffer,
  options: { end?: true } = {},
): Promise<WireAnswer> {
  const socket = connect({ port, host: '127.0.0.1' })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(bytes)
  if (options.end === true) socket.end()
  await once(socket, 'close')
  return readAnswer(Buffer.concat(chunks).toString('latin1'))
}

/** A client that sends and then waits. */
export async function openSocket(port: number, bytes: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

/** A raw request. */
export function aRequest(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const fields = Object.entries({ host: 'continuity.example', connection: 'close', ...headers })
  return `${line} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

function readAnswer(text: string): WireAnswer {
  const headEnd = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...fields] = text.slice(0, headEnd).split('\r\n')
  const headers = fields.map((field) => {
    const colon = field.indexOf(':')
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const
  })
  return {
    statusCode: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(headEnd + 4),
  }
}

const faultsOfProblem = compileCheck(Problem)

/** Asserts that an answer is a valid problem, and returns it. */
export function assertProblem(answer: WireAnswer, status: number, code: string): Problem {
  assert.equal(answer.statusCode, status, answer.body)
  assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8')
  const problem = JSON.parse(answer.body) as Problem
  assert.deepEqual(faultsOfProblem(problem), [])
  assert.equal(problem.status, status)
  assert.equal(problem.code, code)
  assert.ok(problem.type.endsWith(`#${code}`), problem.type)
  assert.equal(problem.message, problem.detail)
  return problem
}
