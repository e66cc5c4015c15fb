import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aServer } from './testing/a-server.ts'
import { anOutboundClient, getText, outboundErrorOf } from './testing/an-outbound-client.ts'

test('an allowed address is fetched, without credentials and unencoded', async () => {
  await using server = await aServer((request, reply) => reply.end(JSON.stringify(request.headers)))
  await using client = anOutboundClient({ allow: [`127.0.0.1:${server.port}`] })

  const { status, text } = await getText(client, `${server.origin}/a?b=c`)

  assert.equal(status, 200)
  assert.deepEqual(JSON.parse(text), {
    host: `127.0.0.1:${server.port}`,
    connection: 'close',
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'Continuity',
  })
})

test('a post sends its body and headers, and does not follow a redirect', async () => {
  const requests: unknown[] = []
  await using server = await aServer(async (request, reply) => {
    const body = (await request.toArray()).map(String).join('')
    requests.push([request.method, request.url, request.headers['webhook-id'], body])
    reply.writeHead(307, { location: '/elsewhere' }).end('moved')
  })
  await using client = anOutboundClient({ allow: [`127.0.0.1:${server.port}`] })
  const { signal } = new AbortController()
  const options = { headers: { 'webhook-id': 'e-1' }, body: '{}', mostBytes: 1_000, signal }

  const answer = await client.post({ ...options, url: `${server.origin}/hook` })
  const chunks: Buffer[] = []
  for await (const chunk of answer.body) chunks.push(chunk)
  const error = await outboundErrorOf(client.post({ ...options, url: `http://127.0.0.2:${server.port}/` }))

  assert.equal(answer.status, 307)
  assert.equal(Buffer.concat(chunks).toString(), 'moved')
  assert.deepEqual(requests, [['POST', '/hook', 'e-1', '{}']])
  assert.equal(error.code, 'address.forbidden')
})

test('an address that is not allowed is never connected to', async () => {
  await using server = await aServer((_request, reply) => reply.end())
  await using client = anOutboundClient({ allow: ['127.0.0.1:1'] })

  const error = await outboundErrorOf(getText(client, server.origin))

  assert.equal(error.code, 'address.forbidden')
  assert.ok(error.isFinal)
  assert.equal(server.connections(), 0)
})

test('the connection goes to the checked address, and the Host header has the name', async () => {
  await using server = await aServer((request, reply) => reply.end(request.headers.host))
  await using other = await aServer((_request, reply) => reply.end(), {
    host: '127.0.0.2',
    port: server.port,
  })
  const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]
  await using client = anOutboundClient({
    allow: [`127.0.0.1:${server.port}`],
    lookup: async () => answers.shift() ?? [],
  })
  const url = `http://media.example:${server.port}/`

  assert.equal((await getText(client, url)).text, `media.example:${server.port}`)
  assert.equal(answers.length, 2)
  assert.equal((await outboundErrorOf(getText(client, url))).code, 'address.forbidden')
  assert.equal(other.connections(), 0)
})

test('a connection to another address than the checked one is closed before anything is sent', async () => {
  const requests: string[] = []
  await using server = await aServer((request, reply) => {
    requests.push(request.url ?? '')
    reply.end('secret')
  })
  // The kernel maps this address to loopback, so the socket is connected to another address.
  const lookup = async () => ['0.0.0.0']
  await using client = anOutboundClient({ allow: [`media.example:${server.port}`], lookup })

  const error = await outboundErrorOf(getText(client, `http://media.example:${server.port}/`))
  await server.left()

  assert.equal(error.code, 'address.forbidden')
  assert.equal(server.connections(), 1)
  assert.deepEqual(requests, [])
})

test('one forbidden address of a name rejects the name, and the error does not reveal it', async () => {
  await using server = await aServer((_request, reply) => reply.end())
  const lookup = async () => ['127.0.0.1', '10.1.2.3']
  await using client = anOutboundClient({ allow: [`127.0.0.1:${server.port}`], lookup })

  const error = await outboundErrorOf(getText(client, `http://media.example:${server.port}/`))

  assert.equal(error.code, 'address.forbidden')
  assert.doesNotMatch(error.message, /10\.1/)
  assert.match(String(error.cause), /10\.1\.2\.3/)
  assert.equal(server.connections(), 0)
})

test('an allowed name may resolve to any address, at its port only', async () => {
  await using server = await aServer((_request, reply) => reply.end('here'))
  await using client = anOutboundClient({
    allow: [`media.internal:${server.port}`],
    lookup: async () => ['127.0.0.1'],
  })

  assert.equal((await getText(client, `http://media.internal:${server.port}/`)).text, 'here')
  assert.equal((await outboundErrorOf(getText(client, 'http://media.internal:9/'))).code, 'address.forbidden')
  assert.equal(
    (await outboundErrorOf(getText(client, 'http://media.internal:8080/'))).code,
    'address.forbidden',
  )
  assert.equal((await outboundErrorOf(getText(client, server.origin))).code, 'address.forbidden')
})

test('a public address of this machine itself is rejected', async () => {
  await using client = anOutboundClient({
    lookup: async () => ['2606:4700:0::1'],
    ownAddresses: () => ['2606:4700:0:0:0:0:0:1'],
  })

  assert.equal((await outboundErrorOf(getText(client, 'http://media.example/'))).code, 'address.forbidden')
})

test('a dead address of a name does not fail the fetch while another works', async () => {
  await using server = await aServer((_request, reply) => reply.end('here'))
  const { port } = server
  const allow = [`127.0.0.1:${port}`, `127.0.0.3:${port}`]
  await using client = anOutboundClient({ allow, lookup: async () => ['127.0.0.3', '127.0.0.1'] })

  assert.equal((await getText(client, `http://media.example:${port}/`)).text, 'here')
})

test('an unknown name is a final error, a DNS timeout is not', async () => {
  const unknown = Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  await using one = anOutboundClient({ lookup: () => Promise.reject(unknown) })
  await using other = anOutboundClient({ lookup: () => new Promise(() => {}), limits: { lookupMs: 20 } })

  const errors = [
    await outboundErrorOf(getText(one, 'http://media.example/')),
    await outboundErrorOf(getText(other, 'http://media.example/')),
  ]

  assert.deepEqual(
    errors.map(({ code, isFinal }) => [code, isFinal]),
    [
      ['address.unresolvable', true],
      ['address.unresolvable', false],
    ],
  )
})

test('up to three redirects are followed, each checked like the first address', async () => {
  await using inner = await aServer((_request, reply) => reply.end())
  await using server = await aServer((request, reply) => {
    const left = Number(request.url?.slice(1))
    const location = left === 100 ? `${inner.origin}/` : `/${left - 1}`
    if (left === 0) reply.end('here')
    else reply.writeHead(302, { location }).end('an unread body')
  })
  await using client = anOutboundClient({ allow: [`127.0.0.1:${server.port}`] })
  const get = (path: string) => getText(client, `${server.origin}${path}`)

  assert.equal((await get('/3')).text, 'here')
  assert.equal((await outboundErrorOf(get('/4'))).code, 'fetch.too_many_redirects')
  const error = await outboundErrorOf(get('/100'))
  assert.equal(error.code, 'address.forbidden')
  assert.match(error.message, /^After a redirect/)
  assert.equal(inner.connections(), 0)
})

test('a redirect to an invalid address is rejected as invalid', async () => {
  for (const location of [
    'file:///etc/passwd',
    'http://user@media.example/',
    'http://[',
    'javascript:1',
    '/\\media.example/',
  ]) {
    await using server = await aServer((_request, reply) => reply.writeHead(301, { location }).end())
    await using client = anOutboundClient({ allow: [`127.0.0.1:${server.port}`] })

    assert.equal((await outboundErrorOf(getText(client, server.origin))).code, 'address.invalid', location)
  }
})

test('a connection closes with its answer, read or not', { timeout: 10_000 }, async () => {
  await using server = await aServer(({ url }, reply) => {
    if (url === '/away') reply.writeHead(302, { location: '/endless' })
    reply.write('a'.repeat(100_000))
  })
  await using client = anOutboundClient({ allow: [`127.0.0.1:${server.port}`] })
  const options = { url: `${server.origin}/away`, mostBytes: 1_000_000, signal: new AbortController().signal }

  const discarded = await client.get(options)
  discarded.discard()
  const leftEarly = await client.get(options)
  for await (const chunk of leftEarly.body) if (chunk.length > 0) break

  await server.left()
  assert.equal(server.connections(), 4)
})

test('proxy variables of the environment are ignored', async () => {
  await using proxy = await aServer((_request, reply) => reply.end('proxy'))
  await using server = await aServer((_request, reply) => reply.end('here'))
  Object.assign(process.env, { HTTP_PROXY: proxy.origin, http_proxy: proxy.origin })
  try {
    await using client = anOutboundClient({ allow: [`127.0.0.1:${server.port}`] })
    assert.equal((await getText(client, server.origin)).text, 'here')
    assert.equal(proxy.connections(), 0)
  } finally {
    delete process.env['HTTP_PROXY']
    delete process.env['http_proxy']
  }
})
