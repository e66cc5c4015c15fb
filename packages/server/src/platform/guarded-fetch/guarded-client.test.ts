import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aGuard, getText, refusalOf } from './testing/a-guard.ts'
import { aServer } from './testing/a-server.ts'

test('an address that the operator allowed is fetched, without credentials and unencoded', async () => {
  await using server = await aServer((request, reply) => reply.end(JSON.stringify(request.headers)))
  await using guard = aGuard({ allow: [`127.0.0.1:${server.port}`] })

  const { status, text } = await getText(guard, `${server.origin}/a?b=c`)

  assert.equal(status, 200)
  assert.deepEqual(JSON.parse(text), {
    host: `127.0.0.1:${server.port}`,
    connection: 'close',
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'Continuity',
  })
})

test('a body is sent with its headers, and a redirect is an answer and not followed', async () => {
  const requests: unknown[] = []
  await using server = await aServer(async (request, reply) => {
    const body = (await request.toArray()).map(String).join('')
    requests.push([request.method, request.url, request.headers['webhook-id'], body])
    reply.writeHead(307, { location: '/elsewhere' }).end('moved')
  })
  await using guard = aGuard({ allow: [`127.0.0.1:${server.port}`] })
  const { signal } = new AbortController()
  const order = { headers: { 'webhook-id': 'e-1' }, body: '{}', mostBytes: 1_000, signal }

  const answer = await guard.post({ ...order, url: `${server.origin}/hook` })
  const chunks: Buffer[] = []
  for await (const chunk of answer.body) chunks.push(chunk)
  const refusal = await refusalOf(guard.post({ ...order, url: `http://127.0.0.2:${server.port}/` }))

  assert.equal(answer.status, 307)
  assert.equal(Buffer.concat(chunks).toString(), 'moved')
  assert.deepEqual(requests, [['POST', '/hook', 'e-1', '{}']])
  assert.equal(refusal.code, 'address.forbidden')
})

test('what the operator did not allow is not even connected to', async () => {
  await using server = await aServer((_request, reply) => reply.end())
  await using guard = aGuard({ allow: ['127.0.0.1:1'] })

  const refusal = await refusalOf(getText(guard, server.origin))

  assert.equal(refusal.code, 'address.forbidden')
  assert.ok(refusal.isFinal)
  assert.equal(server.connections(), 0)
})

test('the connection goes to the address that was checked, and the server hears the name', async () => {
  await using server = await aServer((request, reply) => reply.end(request.headers.host))
  await using other = await aServer((_request, reply) => reply.end(), {
    host: '127.0.0.2',
    port: server.port,
  })
  const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]
  await using guard = aGuard({
    allow: [`127.0.0.1:${server.port}`],
    lookup: async () => answers.shift() ?? [],
  })
  const url = `http://media.example:${server.port}/`

  assert.equal((await getText(guard, url)).text, `media.example:${server.port}`)
  assert.equal(answers.length, 2)
  assert.equal((await refusalOf(getText(guard, url))).code, 'address.forbidden')
  assert.equal(other.connections(), 0)
})

test('a connection that ends up at another address than the checked one is closed, and nothing is sent', async () => {
  const requests: string[] = []
  await using server = await aServer((request, reply) => {
    requests.push(request.url ?? '')
    reply.end('secret')
  })
  // The kernel takes this address for the loopback, so the socket is not where it was sent to.
  const lookup = async () => ['0.0.0.0']
  await using guard = aGuard({ allow: [`media.example:${server.port}`], lookup })

  const refusal = await refusalOf(getText(guard, `http://media.example:${server.port}/`))
  await server.left()

  assert.equal(refusal.code, 'address.forbidden')
  assert.equal(server.connections(), 1)
  assert.deepEqual(requests, [])
})

test('one bad address among those of a name refuses them all, and the refusal does not tell it', async () => {
  await using server = await aServer((_request, reply) => reply.end())
  const lookup = async () => ['127.0.0.1', '10.1.2.3']
  await using guard = aGuard({ allow: [`127.0.0.1:${server.port}`], lookup })

  const refusal = await refusalOf(getText(guard, `http://media.example:${server.port}/`))

  assert.equal(refusal.code, 'address.forbidden')
  assert.doesNotMatch(refusal.message, /10\.1/)
  assert.match(String(refusal.cause), /10\.1\.2\.3/)
  assert.equal(server.connections(), 0)
})

test('a name that the operator allowed may be anywhere, at its port only', async () => {
  await using server = await aServer((_request, reply) => reply.end('here'))
  await using guard = aGuard({ allow: [`media.internal:${server.port}`], lookup: async () => ['127.0.0.1'] })

  assert.equal((await getText(guard, `http://media.internal:${server.port}/`)).text, 'here')
  assert.equal((await refusalOf(getText(guard, 'http://media.internal:9/'))).code, 'address.forbidden')
  assert.equal((await refusalOf(getText(guard, 'http://media.internal:8080/'))).code, 'address.forbidden')
  assert.equal((await refusalOf(getText(guard, server.origin))).code, 'address.forbidden')
})

test('a public address of this machine itself is refused', async () => {
  await using guard = aGuard({
    lookup: async () => ['2606:4700:0::1'],
    ownAddresses: () => ['2606:4700:0:0:0:0:0:1'],
  })

  assert.equal((await refusalOf(getText(guard, 'http://media.example/'))).code, 'address.forbidden')
})

test('a dead address of a name does not fail the fetch as long as another lives', async () => {
  await using server = await aServer((_request, reply) => reply.end('here'))
  const { port } = server
  const allow = [`127.0.0.1:${port}`, `127.0.0.3:${port}`]
  await using guard = aGuard({ allow, lookup: async () => ['127.0.0.3', '127.0.0.1'] })

  assert.equal((await getText(guard, `http://media.example:${port}/`)).text, 'here')
})

test('a name that nobody knows is final, a name service that is silent is not', async () => {
  const unknown = Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  await using one = aGuard({ lookup: () => Promise.reject(unknown) })
  await using other = aGuard({ lookup: () => new Promise(() => {}), limits: { lookupMs: 20 } })

  const refusals = [
    await refusalOf(getText(one, 'http://media.example/')),
    await refusalOf(getText(other, 'http://media.example/')),
  ]

  assert.deepEqual(
    refusals.map(({ code, isFinal }) => [code, isFinal]),
    [
      ['address.unresolvable', true],
      ['address.unresolvable', false],
    ],
  )
})

test('redirects are followed three times, each to an address that is checked like the first', async () => {
  await using inner = await aServer((_request, reply) => reply.end())
  await using server = await aServer((request, reply) => {
    const left = Number(request.url?.slice(1))
    const location = left === 100 ? `${inner.origin}/` : `/${left - 1}`
    if (left === 0) reply.end('here')
    else reply.writeHead(302, { location }).end('a body that nobody reads')
  })
  await using guard = aGuard({ allow: [`127.0.0.1:${server.port}`] })
  const ask = (path: string) => getText(guard, `${server.origin}${path}`)

  assert.equal((await ask('/3')).text, 'here')
  assert.equal((await refusalOf(ask('/4'))).code, 'fetch.too_many_redirects')
  const refusal = await refusalOf(ask('/100'))
  assert.equal(refusal.code, 'address.forbidden')
  assert.match(refusal.message, /^After a redirect/)
  assert.equal(inner.connections(), 0)
})

test('a redirect to something that is no address is refused as that', async () => {
  for (const location of [
    'file:///etc/passwd',
    'http://user@media.example/',
    'http://[',
    'javascript:1',
    '/\\media.example/',
  ]) {
    await using server = await aServer((_request, reply) => reply.writeHead(301, { location }).end())
    await using guard = aGuard({ allow: [`127.0.0.1:${server.port}`] })

    assert.equal((await refusalOf(getText(guard, server.origin))).code, 'address.invalid', location)
  }
})

test('no connection outlives its answer, read or not', { timeout: 10_000 }, async () => {
  await using server = await aServer(({ url }, reply) => {
    if (url === '/away') reply.writeHead(302, { location: '/endless' })
    reply.write('a'.repeat(100_000))
  })
  await using guard = aGuard({ allow: [`127.0.0.1:${server.port}`] })
  const order = { url: `${server.origin}/away`, mostBytes: 1_000_000, signal: new AbortController().signal }

  const discarded = await guard.get(order)
  discarded.discard()
  const leftEarly = await guard.get(order)
  for await (const chunk of leftEarly.body) if (chunk.length > 0) break

  await server.left()
  assert.equal(server.connections(), 4)
})

test('no proxy of the environment is asked', async () => {
  await using proxy = await aServer((_request, reply) => reply.end('proxy'))
  await using server = await aServer((_request, reply) => reply.end('here'))
  Object.assign(process.env, { HTTP_PROXY: proxy.origin, http_proxy: proxy.origin })
  try {
    await using guard = aGuard({ allow: [`127.0.0.1:${server.port}`] })
    assert.equal((await getText(guard, server.origin)).text, 'here')
    assert.equal(proxy.connections(), 0)
  } finally {
    delete process.env['HTTP_PROXY']
    delete process.env['http_proxy']
  }
})
