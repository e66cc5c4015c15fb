import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCertificate } from './testing/a-certificate.ts'
import { aServer } from './testing/a-server.ts'
import { anOutboundClient, getText, outboundErrorOf } from './testing/an-outbound-client.ts'

const tls = aCertificate('media.example')
const lookup = async () => ['127.0.0.1']

test('a certificate is checked against the name, although the connection goes to the address', async () => {
  await using server = await aServer((request, reply) => reply.end(request.headers.host), { tls })
  const { port } = server
  await using client = anOutboundClient({ allow: [`127.0.0.1:${port}`], lookup, ca: tls.cert })

  assert.equal((await getText(client, `https://media.example:${port}/`)).text, `media.example:${port}`)
  const error = await outboundErrorOf(getText(client, `https://other.example:${port}/`))
  assert.deepEqual([error.code, error.isFinal], ['fetch.broken', true])
})

test('an untrusted certificate is rejected, also with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
  await using server = await aServer((_request, reply) => reply.end(), { tls })
  await using client = anOutboundClient({ allow: [`127.0.0.1:${server.port}`], lookup })
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  try {
    const error = await outboundErrorOf(getText(client, `https://media.example:${server.port}/`))
    assert.deepEqual([error.code, error.isFinal], ['fetch.broken', true])
  } finally {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  }
})

test('a redirect does not lead from https to http', async () => {
  await using plain = await aServer((_request, reply) => reply.end())
  const location = `http://127.0.0.1:${plain.port}/`
  await using server = await aServer((_request, reply) => reply.writeHead(302, { location }).end(), { tls })
  const allow = [`127.0.0.1:${server.port}`, `127.0.0.1:${plain.port}`]
  await using client = anOutboundClient({ allow, lookup, ca: tls.cert })

  const error = await outboundErrorOf(getText(client, `https://media.example:${server.port}/`))

  assert.equal(error.code, 'address.forbidden')
  assert.equal(plain.connections(), 0)
})
