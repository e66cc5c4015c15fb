import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operations } from '@continuity/contract'
import fc from 'fast-check'
import { compileCheck } from '../../packages/server/src/http/schema-validator.ts'
import { exampleCredential, startExampleApi } from './example-api.ts'
import { createSender } from './wire-request.ts'

const MUTATIONS = 200

const { scheduleProgram, login, insertAdBreak } = operations
const watched = [scheduleProgram, login, insertAdBreak] as const
const seen: { readonly id: string; readonly body: unknown }[] = []
const watch = (id: string, answer: unknown) => (call: { body: unknown }) => {
  seen.push({ id, body: call.body })
  return answer as never
}
let api: Awaited<ReturnType<typeof startExampleApi>>

before(async () => {
  api = await startExampleApi({
    scheduleProgram: watch('scheduleProgram', scheduleProgram.example.answer),
    login: watch('login', login.example.answer),
    insertAdBreak: watch('insertAdBreak', insertAdBreak.example.answer),
  })
})
after(() => api.close())

test('no unchecked body reaches a handler, whatever the Content-Type is', async () => {
  const sender = createSender(api.baseUrl, 4)
  const bodies = [
    '{"duration":60,"isAdmin":true}',
    '{"duration":"60"}',
    'duration=60',
    '[]',
    '{',
    'null',
    '60',
    '',
  ]
  for (const contentType of fc.sample(mutatedTypes, { numRuns: MUTATIONS, seed: 1 })) {
    for (const e of watched) {
      const path = `/api/${e.version}${e.path.replace('{live_source_id}', 'x')}`
      const headers = { ...exampleCredential, 'content-type': contentType }
      for (const body of [...bodies, JSON.stringify(e.example.body)]) {
        const answer = await sender.send({ method: 'POST', path, headers, body: Buffer.from(body) })
        assert.ok([200, 202, 400, 415].includes(answer.status), `${contentType}: ${answer.status}`)
      }
    }
  }
  sender.close()

  const checks = new Map<string, ReturnType<typeof compileCheck>>(
    watched.map((e) => [e.id, compileCheck(e.body)]),
  )
  assert.ok(seen.length > 0, 'some mutation is harmless and lets the valid body through')
  for (const { id, body } of seen) assert.deepEqual(checks.get(id)?.(body), [], JSON.stringify(body))
})

/** Spellings around application/json: cases, blanks, parameters, lists and near misses. */
const mutatedTypes = fc.oneof(
  fc.mixedCase(fc.constant('application/json')),
  fc
    .tuple(fc.constantFrom('', ' ', '\t'), fc.constantFrom('', ' ', '\t', ';', '; ', ' ;'))
    .map(([before, after]) => `${before}application/json${after}`),
  fc
    .tuple(
      fc.constantFrom(';', '; ', ' ; ', '\t;', ';;'),
      fc.constantFrom('charset', 'Charset', 'boundary', 'x', ''),
      fc.constantFrom('=utf-8', '="utf-8"', '=UTF8', '=utf-16', '=', '', '=utf-8;x=1', "='utf-8'"),
    )
    .map(([separator, name, value]) => `application/json${separator}${name}${value}`),
  fc.constantFrom(
    'application/json,application/json',
    'application/json, text/plain',
    'text/plain, application/json',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/vnd.api+json',
    'application/json-patch+json',
    'application/jsonp',
    'application /json',
    'application/ json',
    'application',
    '*/*',
    '',
  ),
  fc
    .tuple(fc.nat(16), fc.stringMatching(/^[\x20-\x7e\x80-\xff]{1,2}$/))
    .map(([at, text]) => `application/json`.slice(0, at) + text + `application/json`.slice(at)),
  fc.stringMatching(/^[\x20-\x7e\x80-\xff]{0,30}$/),
)
