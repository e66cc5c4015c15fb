import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCertificate } from './testing/a-certificate.ts'
import { aGuard, getText, refusalOf } from './testing/a-guard.ts'
import { aServer } from './testing/a-server.ts'

const tls = aCertificate('media.example')
const lookup = async () => ['127.0.0.1']

test('a certificate is checked against the name, although the connection goes to the address', async () => {
  await using server = await aServer((request, reply) => reply.end(request.headers.host), { tls })
  const { port } = server
  await using guard = aGuard({ allow: [`127.0.0.1:${port}`], lookup, ca: tls.cert })

  assert.equal((await getText(guard, `https://media.example:${port}/`)).text, `media.example:${port}`)
  const refusal = await refusalOf(getText(guard, `https://other.example:${port}/`))
  assert.deepEqual([refusal.code, refusal.isFinal], ['fetch.broken', true])
})

test('a certificate of nobody is refused, whatever the environment says', async () => {
  await using server = await aServer((_request, reply) => reply.end(), { tls })
  await using guard = aGuard({ allow: [`127.0.0.1:${server.port}`], lookup })
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  try {
    const refusal = await refusalOf(getText(guard, `https://media.example:${server.port}/`))
    assert.deepEqual([refusal.code, refusal.isFinal], ['fetch.broken', true])
  } finally {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  }
})

test('a redirect does not lead from https to http', async () => {
  await using plain = await aServer((_request, reply) => reply.end())
  const location = `http://127.0.0.1:${plain.port}/`
  await using server = await aServer((_request, reply) => reply.writeHead(302, { location }).end(), { tls })
  const allow = [`127.0.0.1:${server.port}`, `127.0.0.1:${plain.port}`]
  await using guard = aGuard({ allow, lookup, ca: tls.cert })

  const refusal = await refusalOf(getText(guard, `https://media.example:${server.port}/`))

  assert.equal(refusal.code, 'address.forbidden')
  assert.equal(plain.connections(), 0)
})
