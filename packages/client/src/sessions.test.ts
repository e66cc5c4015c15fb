import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClientOptions, createClient, isProblem, UnreachableError } from './index.ts'
import { aClient, aPage, aSession, aSessionAnswer } from './testing/a-client.ts'
import { hangUp, inSequence, json, problem, type Script, type Seen } from './testing/scripted-server.ts'

const video = { params: { video_id: 'v1' } }
const credentials = { account_name: 'north', email: 'duty@north.example', password: 'secret' }

const isRefresh = ({ url }: Seen) => url.endsWith('/auth/refresh')
const isLogin = ({ url }: Seen) => url.endsWith('/auth/login')

/** Accepts one access credential and rejects all others; `refresh` answers refreshes. */
const accepting =
  (access: string, refresh: Script): Script =>
  (request, response) => {
    if (isRefresh(request)) return refresh(request, response)
    if (request.headers['x-service-auth'] === access) return json(response, 200, { ok: true })
    return problem(response, 401, 'credential.expired')
  }

const giving =
  (name: string): Script =>
  (_, response) =>
    json(response, 200, aSessionAnswer(name))

const rejecting =
  (code: string): Script =>
  (_, response) =>
    problem(response, 401, code)

const proxy401: Script = (_, response) => {
  response.writeHead(401, { 'Content-Type': 'text/html' }).end('<h1>Who are you?</h1>')
}

/** A clock that advances only by sleep and pass. */
function aClock() {
  let nowMs = Date.UTC(2026, 2, 1)
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { pass, now: () => nowMs, sleep: async (ms: number) => pass(ms) }
}

test('a login is stored and later calls send its credentials', async (t) => {
  const { client, server, sessions } = await aClient(t, (request, response) =>
    json(response, 200, isLogin(request) ? aSessionAnswer('1') : aPage([])),
  )

  await client.login({ body: credentials })
  await client.getVideo(video)
  await client.listLiveSources()

  assert.deepEqual(client.session, aSession('1'))
  assert.deepEqual(sessions, [aSession('1')])
  const [, catalog, sources] = server.seen.map(({ headers }) => headers)
  assert.equal(catalog?.['x-service-auth'], 'access-1')
  assert.equal(catalog?.['x-service-device'], 'device-1')
  assert.equal(sources?.['x-service-auth'], 'access-1')
  assert.equal(sources?.['x-service-deviceid'], 'device-1')
})

test('registerDevice opens a session', async (t) => {
  const { client } = await aClient(t, giving('device'))

  await client.registerDevice({ body: { app_name: 'north-tv', sdk_key: 'k' } })

  assert.deepEqual(client.session, aSession('device'))
})

test('a public operation sends no credential', async (t) => {
  const { client, server } = await aClient(t, giving('2'), { session: aSession('1') })

  await client.login({ body: credentials })

  assert.equal(server.seen[0]?.headers['x-service-auth'], undefined)
  assert.equal(server.seen[0]?.headers['x-service-device'], undefined)
})

test('a failed login leaves the current session unchanged', async (t) => {
  const { client, server, sessions } = await aClient(t, rejecting('session.refused'), {
    session: aSession('1'),
  })

  await assert.rejects(client.login({ body: credentials }), (error) => isProblem(error, 'session.refused'))

  assert.equal(server.seenAt('/auth/refresh').length, 0)
  assert.deepEqual(client.session, aSession('1'))
  assert.deepEqual(sessions, [])
})

test('logout drops the session and calls onSession once', async (t) => {
  const { client, sessions } = await aClient(t, giving('1'), { session: aSession('1') })

  client.logout()
  client.logout()

  assert.equal(client.session, undefined)
  assert.deepEqual(sessions, [undefined])
})

test('20 calls with an expired credential cause one refresh', async (t) => {
  const script = accepting('access-2', giving('2'))
  const { client, server, sessions } = await aClient(t, script, { session: aSession('1') })

  const answers = await Promise.all(Array.from({ length: 20 }, () => client.getVideo(video)))

  assert.equal(answers.length, 20)
  assert.deepEqual(
    server.seenAt('/auth/refresh').map(({ body }) => body),
    [{ token_refresh: 'refresh-1' }],
  )
  assert.deepEqual(sessions, [aSession('2')])
})

test('a call sent with the previous credential is repeated without another refresh', async (t) => {
  const slow = Promise.withResolvers<void>()
  const { client, server } = await aClient(
    t,
    async (request, response) => {
      const isSlow = request.url.endsWith('/slow') && request.headers['x-service-auth'] === 'access-1'
      if (isSlow) await slow.promise
      await accepting('access-2', giving('2'))(request, response)
    },
    { session: aSession('1') },
  )

  const late = client.getVideo({ params: { video_id: 'slow' } })
  await server.untilSeen('/slow')
  await client.getVideo(video)
  slow.resolve()
  await late

  assert.equal(server.seenAt('/auth/refresh').length, 1)
})

test('a rejected refresh ends the session and the error of the call is thrown', async (t) => {
  const script = accepting('none', rejecting('session.ended'))
  const { client, server, sessions } = await aClient(t, script, { session: aSession('1') })

  const calls = await Promise.allSettled([client.getVideo(video), client.getVideo(video)])

  for (const one of calls) assert.ok(one.status === 'rejected' && isProblem(one.reason, 'credential.expired'))
  assert.equal(client.session, undefined)
  assert.deepEqual(sessions, [undefined])
  assert.equal(server.seenAt('/auth/refresh').length, 1)
})

test('a refresh that fails with server.overloaded throws that error and keeps the session', async (t) => {
  const script = accepting('none', (_, response) => problem(response, 503, 'server.overloaded'))
  const { client, server, sessions } = await aClient(t, script, { session: aSession('1') })

  await assert.rejects(client.getVideo(video), (error) => isProblem(error, 'server.overloaded'))

  assert.deepEqual(client.session, aSession('1'))
  assert.deepEqual(sessions, [])
  assert.equal(server.seenAt('/auth/refresh').length, 4)
  assert.equal(server.seenAt('/videos/v1').length, 1)
})

test('a refresh without an answer throws UnreachableError and keeps the session', async (t) => {
  const { client } = await aClient(t, accepting('none', hangUp), { session: aSession('1') })

  await assert.rejects(client.getVideo(video), UnreachableError)

  assert.deepEqual(client.session, aSession('1'))
})

test('a refresh whose answer was lost is repeated with the same credential', async (t) => {
  const script = accepting('access-2', inSequence(hangUp, giving('2')))
  const { client, server } = await aClient(t, script, { session: aSession('1') })

  await client.getVideo(video)

  assert.deepEqual(
    server.seenAt('/auth/refresh').map(({ body }) => body),
    [{ token_refresh: 'refresh-1' }, { token_refresh: 'refresh-1' }],
  )
  assert.deepEqual(client.session, aSession('2'))
})

test('a refresh that hangs is repeated in time to get the same answer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const hanging = Promise.withResolvers<void>()
  const answers = [
    () => Response.json({ code: 'credential.expired', detail: '' }, { status: 401 }),
    (init: RequestInit) =>
      new Promise<Response>((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        hanging.resolve()
      }),
    () => Response.json(aSessionAnswer('2')),
    () => Response.json({ ok: true }),
  ]
  const client = createClient({
    baseUrl: 'http://service.test',
    session: aSession('1'),
    fetch: async (_, init) => answers.shift()?.(init) ?? Response.error(),
    sleep: async () => undefined,
  })

  const call = client.getVideo(video)
  await hanging.promise
  t.mock.timers.tick(2_000)

  assert.deepEqual(await call, { ok: true })
  assert.deepEqual(client.session, aSession('2'))
})

test('no try of a refresh begins more than 8 s after the first', async (t) => {
  const clock = aClock()
  const script = accepting('none', (request, response) => {
    clock.pass(2_000)
    return hangUp(request, response)
  })
  const options = { ...clock, session: aSession('1'), retry: { tries: 10 } }
  const { client, server } = await aClient(t, script, options)

  await assert.rejects(client.getVideo(video), UnreachableError)

  // They begin at 0, 2.2, 4.6 and 7.4 s; the fifth would at 11 s.
  assert.equal(server.seenAt('/auth/refresh').length, 4)
  assert.deepEqual(client.session, aSession('1'))
})

test('a refresh honours Retry-After, up to 8 s', async (t) => {
  for (const { seconds, tries } of [
    { seconds: '7', tries: 2 },
    { seconds: '8', tries: 1 },
  ]) {
    const busy: Script = (_, response) =>
      problem(response, 503, 'server.overloaded', { 'Retry-After': seconds })
    const options = { ...aClock(), session: aSession('1') }
    const { client, server } = await aClient(t, accepting('none', busy), options)

    await assert.rejects(client.getVideo(video), {
      code: 'server.overloaded',
      retryAfterMs: Number(seconds) * 1_000,
    })

    assert.equal(server.seenAt('/auth/refresh').length, tries)
    assert.deepEqual(client.session, aSession('1'))
  }
})

test('a refresh is not repeated if the machine was suspended during the wait', async (t) => {
  const clock = aClock()
  const sleep = async () => clock.pass(3_600_000)
  const options = { ...clock, sleep, session: aSession('1') }
  const { client, server } = await aClient(t, accepting('none', hangUp), options)

  await assert.rejects(client.getVideo(video), UnreachableError)

  assert.equal(server.seenAt('/auth/refresh').length, 1)
  assert.deepEqual(client.session, aSession('1'))
})

test('an invalid credential is renewed like an expired one', async (t) => {
  const script = inSequence(rejecting('credential.invalid'), accepting('access-2', giving('2')))
  const { client } = await aClient(t, script, { session: aSession('1') })

  assert.deepEqual(await client.getVideo(video), { ok: true })

  assert.deepEqual(client.session, aSession('2'))
})

test('a 401 that a new credential would not fix is thrown and keeps the session', async (t) => {
  for (const script of [rejecting('credential.missing'), proxy401]) {
    const { client, server } = await aClient(t, script, { session: aSession('1') })

    await assert.rejects(client.getVideo(video), { status: 401 })

    assert.equal(server.seenAt('/auth/refresh').length, 0)
    assert.deepEqual(client.session, aSession('1'))
  }
})

test('a refresh that gets a 401 of a proxy throws http.401 and keeps the session', async (t) => {
  const { client, sessions } = await aClient(t, accepting('none', proxy401), { session: aSession('1') })

  await assert.rejects(client.getVideo(video), (error) => isProblem(error, 'http.401'))

  assert.deepEqual(client.session, aSession('1'))
  assert.deepEqual(sessions, [])
})

test('a credential that is rejected right after its refresh is not refreshed again', async (t) => {
  const script = accepting('none', giving('2'))
  const { client, server } = await aClient(t, script, { session: aSession('1') })

  await assert.rejects(client.getVideo(video), (error) => isProblem(error, 'credential.expired'))

  assert.equal(server.seenAt('/videos/v1').length, 2)
  assert.equal(server.seenAt('/auth/refresh').length, 1)
})

test('an aborted caller does not abort the refresh of the others', async (t) => {
  const gate = Promise.withResolvers<void>()
  const script = accepting('access-2', async (request, response) => {
    await gate.promise
    await giving('2')(request, response)
  })
  const { client, server } = await aClient(t, script, { session: aSession('1') })
  const leaving = new AbortController()

  const left = client.getVideo(video, { signal: leaving.signal })
  const stayed = client.getVideo(video)
  await server.untilSeen('/auth/refresh')
  leaving.abort(new Error('the page was closed'))
  await assert.rejects(left, /the page was closed/)
  gate.resolve()

  assert.deepEqual(await stayed, { ok: true })
  assert.equal(server.seenAt('/auth/refresh').length, 1)
})

test('a refresh continues when all its callers have aborted', async (t) => {
  const gate = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<unknown>()
  const script = accepting('access-2', async (request, response) => {
    await gate.promise
    await giving('2')(request, response)
  })
  const { client, server } = await aClient(t, script, { session: aSession('1'), onSession: stored.resolve })
  const leaving = new AbortController()

  const left = client.getVideo(video, { signal: leaving.signal })
  await server.untilSeen('/auth/refresh')
  leaving.abort()
  await assert.rejects(left, { name: 'AbortError' })
  gate.resolve()

  assert.deepEqual(await stored.promise, aSession('2'))
})

test('a refresh that fails after all its callers have aborted causes no unhandled rejection', async (t) => {
  const gate = Promise.withResolvers<void>()
  const script = accepting('none', async (request, response) => {
    await gate.promise
    await hangUp(request, response)
  })
  const { client, server } = await aClient(t, script, { session: aSession('1'), retry: { tries: 2 } })
  const leaving = new AbortController()

  const left = client.getVideo(video, { signal: leaving.signal })
  await server.untilSeen('/auth/refresh')
  leaving.abort()
  await assert.rejects(left, { name: 'AbortError' })
  gate.resolve()
  await server.untilSeen('/auth/refresh', 2)

  await assert.rejects(client.getVideo(video), UnreachableError)
})

test('a call of one user is not repeated as the next user', async (t) => {
  const gate = Promise.withResolvers<void>()
  const { client, server } = await aClient(
    t,
    async (request, response) => {
      if (isLogin(request)) return json(response, 200, aSessionAnswer('other', 'device-2'))
      await gate.promise
      return problem(response, 401, 'credential.expired')
    },
    { session: aSession('1') },
  )

  const begun = client.getVideo(video)
  await server.untilSeen('/videos/v1')
  await client.login({ body: credentials })
  gate.resolve()

  await assert.rejects(begun, (error) => isProblem(error, 'credential.expired'))
  assert.equal(server.seenAt('/videos/v1').length, 1)
  assert.equal(server.seenAt('/auth/refresh').length, 0)
  assert.deepEqual(client.session, aSession('other', 'device-2'))
})

test('a logout during a refresh is not undone by its answer', async (t) => {
  const gate = Promise.withResolvers<void>()
  const script = accepting('access-2', async (request, response) => {
    await gate.promise
    await giving('2')(request, response)
  })
  const { client, server, sessions } = await aClient(t, script, { session: aSession('1') })

  const begun = client.getVideo(video)
  await server.untilSeen('/auth/refresh')
  client.logout()
  gate.resolve()

  await assert.rejects(begun, (error) => isProblem(error, 'credential.expired'))
  assert.equal(client.session, undefined)
  assert.deepEqual(sessions, [undefined])
})

test('clients that share a session refresh it one after the other, each with the newest credential', async (t) => {
  let newest = '1' // what both clients have stored
  let turn = Promise.resolve()
  const sent: string[] = []
  const script: Script = (request, response) => {
    if (!isRefresh(request)) {
      const isExpired = request.headers['x-service-auth'] === 'access-1'
      return isExpired ? problem(response, 401, 'credential.expired') : json(response, 200, aPage([]))
    }
    sent.push((request.body as { token_refresh: string }).token_refresh)
    return json(response, 200, aSessionAnswer(String(sent.length + 1)))
  }
  const refreshWith: ClientOptions['refreshWith'] = (_, send) => {
    const mine = turn.then(async () => {
      const answer = await send(`refresh-${newest}`)
      newest = answer.token.token_refresh.slice('refresh-'.length)
      return answer
    })
    turn = mine.then(() => undefined)
    return mine
  }
  const { client, server } = await aClient(t, script, { session: aSession('1'), refreshWith })
  const other = createClient({ baseUrl: server.url, session: aSession('1'), refreshWith })

  await Promise.all([client.listLiveSources(), other.listLiveSources()])

  assert.deepEqual(sent, ['refresh-1', 'refresh-2'])
  assert.equal(client.session?.device_id, 'device-1')
  assert.equal(other.session?.device_id, 'device-1')
})

test('refreshSession continues the same session', async (t) => {
  const { client, sessions } = await aClient(t, giving('2'), { session: aSession('1') })

  await client.refreshSession({ body: { token_refresh: 'refresh-1' } })

  assert.deepEqual(client.session, aSession('2'))
  assert.deepEqual(sessions, [aSession('2')])
})

test('an answer that is not a session is an error and is not stored', async (t) => {
  const { client, sessions } = await aClient(t, (_, response) => json(response, 200, { welcome: true }))

  await assert.rejects(client.login({ body: credentials }), (error) => isProblem(error, 'http.200'))

  assert.equal(client.session, undefined)
  assert.deepEqual(sessions, [])
})
