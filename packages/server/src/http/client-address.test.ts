import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { clientAddressOf } from './open-call.ts'
import { anEndpoint, aRecorder, aServer, listen, put } from './testing/a-server.ts'
import { aRequest, exchange, openSocket } from './testing/wire.ts'

const tryIt = anEndpoint({})
const proxies = ['10.0.0.0/8', '2001:db8::5']

test('without a trusted proxy the client is the peer, whatever X-Forwarded-For contains', async (t) => {
  const seen = addresses(t, [])

  assert.equal(await seen('203.0.113.9'), '203.0.113.9')
  assert.equal(await seen('203.0.113.9', '198.51.100.1'), '203.0.113.9')
  assert.equal(await seen('203.0.113.9', '127.0.0.1, 10.0.0.1'), '203.0.113.9')
})

test('X-Forwarded-For of an untrusted peer is ignored', async (t) => {
  const seen = addresses(t, proxies)

  assert.equal(await seen('203.0.113.9', '198.51.100.1'), '203.0.113.9')
  assert.equal(await seen('11.0.0.1', '198.51.100.1'), '11.0.0.1')
  assert.equal(await seen('2001:db8::6', '198.51.100.1'), '2001:db8::6')
})

test('a trusted proxy names the client, and earlier entries from the client itself are ignored', async (t) => {
  const seen = addresses(t, proxies)

  assert.equal(await seen('10.0.0.1', '198.51.100.1'), '198.51.100.1')
  assert.equal(await seen('2001:db8::5', '198.51.100.1'), '198.51.100.1')
  assert.equal(await seen('10.0.0.1', '127.0.0.1, 198.51.100.1'), '198.51.100.1')
  assert.equal(await seen('10.0.0.1', '10.9.9.9, 198.51.100.1'), '198.51.100.1')
})

test('a chain of trusted proxies is followed to the first untrusted address', async (t) => {
  const seen = addresses(t, proxies)

  assert.equal(await seen('10.0.0.1', '198.51.100.1, 2001:db8::5, 10.0.0.2'), '198.51.100.1')
  assert.equal(await seen('10.0.0.1', '127.0.0.1, 198.51.100.1, 10.0.0.2'), '198.51.100.1')
  assert.equal(await seen('10.0.0.1', '10.0.0.3, 10.0.0.2'), '10.0.0.3')
})

test('a trusted proxy without X-Forwarded-For is itself the client', async (t) => {
  const seen = addresses(t, proxies)

  assert.equal(await seen('10.0.0.1'), '10.0.0.1')
  assert.equal(await seen('10.0.0.1', ''), '10.0.0.1')
  assert.equal(await seen('10.0.0.1', ' , '), '10.0.0.1')
})

test('an entry that is not an address is ignored, and the nearest known address counts', async (t) => {
  const seen = addresses(t, proxies)

  for (const garbage of [
    'unknown',
    '1.2.3',
    '999.1.1.1',
    '_hidden',
    '1.2.3.4:80',
    '[::1]:80',
    '%',
    '0x7f.1',
  ]) {
    assert.equal(await seen('10.0.0.1', garbage), '10.0.0.1', garbage)
    assert.equal(await seen('10.0.0.1', `198.51.100.1, ${garbage}`), '10.0.0.1', garbage)
    assert.equal(await seen('10.0.0.1', `198.51.100.1, ${garbage}, 10.0.0.2`), '10.0.0.2', garbage)
  }
})

test('an IPv4-mapped address of a dual-stack socket is written as IPv4', async (t) => {
  const seen = addresses(t, proxies)

  assert.equal(await seen('::ffff:203.0.113.9'), '203.0.113.9')
  assert.equal(await seen('::ffff:10.0.0.1', '198.51.100.1'), '198.51.100.1')
  assert.equal(await seen('10.0.0.1', '::FFFF:c633:6401'), '198.51.100.1')
})

test('an IPv6 address is normalized', async (t) => {
  const seen = addresses(t, proxies)

  assert.equal(await seen('10.0.0.1', '2001:DB8:0:0:0:0:0:1'), '2001:db8::1')
  assert.equal(await seen('::1'), '::1')
})

test('over a real connection an untrusted client cannot forge its address, and a trusted proxy can state it', async (t) => {
  const { server: open } = aServer(t)
  const { server: behindProxy } = aServer(t, { trustedProxies: ['127.0.0.1'] })
  const seen: string[] = []
  for (const server of [open, behindProxy]) {
    put(server, tryIt, ({ clientAddress }) => void seen.push(clientAddress))
    const request = aRequest('GET /api/2.3/try', { 'x-forwarded-for': '198.51.100.1' })
    await exchange(await listen(server), request)
  }

  assert.deepEqual(seen, ['127.0.0.1', '198.51.100.1'])
})

test('the client has an address for any X-Forwarded-For', () => {
  const text = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6())

  fc.assert(
    fc.property(fc.array(text), (passedOn) => {
      const address = clientAddressOf({ ip: '10.0.0.1', ips: ['10.0.0.1', ...passedOn] })
      assert.match(address, /^[0-9a-f.:]+$/)
    }),
  )
})

test('a client that disconnected before the address was read has none', async (t) => {
  for (const trustedProxies of [[], ['127.0.0.1']]) {
    const { server } = aServer(t, { trustedProxies })
    const called = Promise.withResolvers<void>()
    const seen = Promise.withResolvers<string>()
    put(server, tryIt, async (call) => {
      const gone = once(call.signal, 'abort')
      called.resolve()
      await gone
      seen.resolve(call.clientAddress)
      return undefined
    })

    const socket = await openSocket(
      await listen(server),
      aRequest('GET /api/2.3/try', { 'x-forwarded-for': '198.51.100.1' }),
    )
    await called.promise
    socket.destroy()

    assert.equal(await seen.promise, '')
  }
})

test('a request is forwarded when a trusted proxy names the client', async (t) => {
  const { server } = aServer(t, { trustedProxies: proxies })
  const { calls, handler } = aRecorder(tryIt)
  put(server, tryIt, handler)
  const send = (remoteAddress: string, headers: Record<string, string>) =>
    server.inject({ url: '/api/2.3/try', remoteAddress, headers })

  await send('10.0.0.1', { 'x-forwarded-for': '198.51.100.1' })
  await send('10.0.0.1', {})
  await send('203.0.113.9', { 'x-forwarded-for': '198.51.100.1' })

  assert.deepEqual(
    calls.map(({ isForwarded }) => isForwarded),
    [true, false, false],
  )
})

/** Sends a request as if from `peer`, and returns the address that its handler saw. */
function addresses(t: TestContext, trustedProxies: readonly string[]) {
  const { server } = aServer(t, { trustedProxies })
  const { calls, handler } = aRecorder(tryIt)
  put(server, tryIt, handler)
  return async (peer: string, forwardedFor?: string): Promise<string | undefined> => {
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
    await server.inject({ url: '/api/2.3/try', remoteAddress: peer, headers })
    return calls.at(-1)?.clientAddress
  }
}
