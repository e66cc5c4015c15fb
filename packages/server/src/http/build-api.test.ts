import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addressesOf, type Endpoint, operationList } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import { buildApi } from './build-api.ts'
import { bindOptions, serverOptions } from './testing/a-server.ts'
import { aCapturedLog } from './testing/captured-log.ts'
import { credentialHeaders } from './testing/credentials.ts'
import { assertProblem } from './testing/wire.ts'

/** Built once: compiling every schema takes longer than all of these tests. */
let server: FastifyInstance

before(async () => {
  const options = { ...serverOptions(aCapturedLog()), ...bindOptions, dependencies: [], handlers: {} }
  server = buildApi(options).server
  await server.ready()
})
after(() => server.close())

test('every operation is served at every one of its addresses', async () => {
  for (const e of operationList) {
    for (const address of addressesOf(e)) {
      const answer = await send(e, { address, roles: [...allRoles] })
      assert.notEqual(answer.statusCode, 404, `${e.method} ${address}`)
      assert.notEqual(answer.statusCode, 405, `${e.method} ${address}`)
    }
  }
})

test('without a credential only the three operations that return one are accessible', async () => {
  const accessible: string[] = []
  for (const e of operationList) {
    const answer = await send(e, { headers: {} })
    if (answer.statusCode === 401) assertProblem(answer, 401, 'credential.missing')
    else accessible.push(e.id)
  }

  assert.deepEqual(accessible.toSorted(), ['login', 'refreshSession', 'registerDevice'])
})

test('a role can access only the operations that name it', async () => {
  for (const role of allRoles) {
    for (const e of operationList) {
      const isNamed = typeof e.access === 'string' || e.access.includes(role)
      const { statusCode } = await send(e, { roles: [role] })
      assert.equal(statusCode !== 403, isNamed, `${role} ${e.id}`)
    }
  }
})

test('the documents, the reference and the probes need no credential', async () => {
  for (const url of ['/openapi/2.1.json', '/openapi/2.3.json', '/docs', '/livez', '/readyz', '/metrics']) {
    assert.equal((await server.inject({ url })).statusCode, 200, url)
  }
})

test('a client with the current document gets 304', async () => {
  const first = await server.inject({ url: '/openapi/2.1.json' })
  const again = await server.inject({
    url: '/openapi/2.1.json',
    headers: { 'if-none-match': String(first.headers['etag']) },
  })

  assert.equal(again.statusCode, 304)
  assert.equal(again.body, '')
})

const allRoles = ['ROLE_USER', 'ROLE_ADMIN', 'ROLE_ANONYMOUS', 'ROLE_OPERATOR', 'SCHEDULE'] as const

interface Sending {
  readonly address?: string
  readonly roles?: readonly string[]
  readonly headers?: Record<string, string>
}

function send(e: Endpoint, { address = addressesOf(e)[0]!, roles = [], headers }: Sending) {
  return server.inject({
    method: e.method,
    url: address.replaceAll(/\{\w+\}/g, 'abc'),
    headers: headers ?? credentialHeaders({ roles }),
    ...(e.example.body === undefined ? {} : { payload: e.example.body as object }),
  })
}
