import { createHmac, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { operations } from '@continuity/contract'
import {
  type Api,
  type Claims,
  claimsOf,
  describeAnswer,
  everyWay,
  forEachAtOnce,
  type Headers,
  headersOf,
  logIn,
  refresh,
  registerDevice,
  type Session,
} from './api.ts'
import { isOpen } from './roles.ts'
import type { SigningKey, World } from './world.ts'

/** An invalid credential, and the code of the 401 that it gets. */
interface RejectedCredential {
  readonly name: string
  readonly headers: Headers
  readonly code: 'credential.missing' | 'credential.invalid' | 'credential.expired'
}

/**
 * Sends every credential to every operation. Each is rejected with 401, with the same text for the same code: no answer
 * shows how close a forgery came. Operations that take no credential ignore it.
 */
export async function findAccepted(
  api: Api,
  credentials: readonly RejectedCredential[],
): Promise<readonly string[]> {
  const firstTexts = new Map<string, string>()
  const faults: string[] = []
  await forEachAtOnce(credentials, async ({ name: credential, headers, code }) => {
    for (const { operationId, name, request } of everyWay) {
      const sent = request(headers)
      const answer = await api.send(sent)
      const rejection = isOpen(operationId) ? '400 request.invalid' : `401 ${code}`
      const expected = sent.method === 'HEAD' ? rejection.slice(0, 3) : rejection
      const got = describeAnswer(answer)
      if (got !== expected) {
        faults.push(`${name}, ${credential}: ${got} instead of ${expected}`)
        continue
      }
      const kind = isOpen(operationId) ? name : `${rejection} ${sent.method === 'HEAD'}`
      const text = textOf(sent.path, answer)
      const first = firstTexts.get(kind) ?? text
      firstTexts.set(kind, first)
      if (text !== first) faults.push(`${name}, ${credential}: ${text} instead of ${first}`)
    }
  })
  return faults
}

/** All of an answer but the time and what it repeats of its request. */
function textOf(path: string, { status, headers, body }: Awaited<ReturnType<Api['send']>>): string {
  const { date: _, 'x-request-id': requestId, 'content-length': __, ...shown } = headers
  const head = JSON.stringify([status, shown])
  if (body === '') return head
  const { request_id, instance, ...problem } = JSON.parse(body) as Record<string, unknown>
  const isItsOwn = instance === path.split('?')[0] && request_id === requestId
  return `${head} ${JSON.stringify(problem)}${isItsOwn ? '' : ` at ${String(instance)}`}`
}

const invalid = (name: string, headers: Headers) => ({ name, headers, code: 'credential.invalid' as const })

export function incompleteCredentials({ one }: World): RejectedCredential[] {
  const { access, deviceId } = one.sample
  const device = { 'x-service-device': deviceId }
  const credentials: Readonly<Record<string, Headers>> = {
    'no credential': {},
    'the credential alone': { 'x-service-auth': access },
    'the device alone': device,
    'an empty credential': headersOf('', deviceId),
    'the credential in Authorization': { ...device, authorization: `Bearer ${access}` },
    'the credential in a cookie': { ...device, cookie: `x-service-auth=${access}` },
    'header names with underscores': { x_service_auth: access, x_service_device: deviceId },
    'headers of a proxy': { 'x-forwarded-user': 'admin', 'x-original-url': '/livez' },
  }
  return Object.entries(credentials).map(([name, headers]) => ({ name, headers, code: 'credential.missing' }))
}

/** Of another device, or of another kind of what a client gets from the API. */
export function misusedCredentials({ one, other, key }: World): RejectedCredential[] {
  const { access, deviceId, refresh: refreshCredential } = one.sample
  const otherDevice = other.sample.deviceId
  const devices: Readonly<Record<string, Headers>> = {
    'another device': { 'x-service-device': randomUUID() },
    'a device of the other account': { 'x-service-device': otherDevice },
    'another device, in the other spelling': { 'x-service-deviceid': otherDevice },
    'an empty device': { 'x-service-device': '' },
    'the device with more behind it': { 'x-service-device': `${deviceId}0` },
    'the device twice': { 'x-service-device': [deviceId, deviceId] },
    'another and the device': { 'x-service-device': [otherDevice, deviceId] },
    'two spellings that differ': { 'x-service-device': deviceId, 'x-service-deviceid': otherDevice },
    'one spelling empty': { 'x-service-device': deviceId, 'x-service-deviceid': '' },
    'the credential and a bad one': { 'x-service-auth': [access, 'x'], 'x-service-device': deviceId },
  }
  const kinds: Readonly<Record<string, string>> = {
    "the other account's credential": other.sample.access,
    'a refresh credential': refreshCredential,
    'an SDK key': one.names['sdk_key']!,
    'the id of the session': claimsOf(one.sample).sid,
    'the id of the key': key.kid,
    'a cursor': one.names['mark_listUsers']!,
    'the password': one.login.password,
  }
  return [
    ...Object.entries(devices).map(([name, headers]) =>
      invalid(name, { 'x-service-auth': access, ...headers }),
    ),
    ...Object.entries(kinds).map(([name, credential]) => invalid(name, headersOf(credential, deviceId))),
  ]
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const headOf = ({ kid }: SigningKey) => ({ alg: 'EdDSA', typ: 'at+jwt', kid })

/** A token as the service signs it, with any claims and any header. */
export function signToken(key: SigningKey, claims: unknown, head: object = headOf(key)): string {
  const text = `${encode(head)}.${encode(claims)}`
  return `${text}.${sign(null, Buffer.from(text), key.privateKey).toString('base64url')}`
}

/** The server's own tests have many more of them; here, each gets to every operation. */
export function forgedCredentials({ key, one, other }: World): RejectedCredential[] {
  const claims = claimsOf(one.sample)
  const [head = '', , signature = ''] = one.sample.access.split('.')
  const forger = { kid: key.kid, privateKey: generateKeyPairSync('ed25519').privateKey }
  const unsigned = (alg: unknown) => `${encode({ ...headOf(key), alg })}.${encode(claims)}`
  const publicKey = createPublicKey(key.privateKey).export({ type: 'spki', format: 'pem' })
  const changed = (change: Partial<Claims>) => `${head}.${encode({ ...claims, ...change })}.${signature}`
  const tokens: Readonly<Record<string, string>> = {
    'signed with another key': signToken(forger, claims),
    'signed with another key of its own name': signToken({ ...forger, kid: randomUUID() }, claims),
    'signed with the key that is in it': signToken(forger, claims, {
      ...headOf(key),
      jwk: createPublicKey(forger.privateKey).export({ format: 'jwk' }),
    }),
    'of another type of token': signToken(key, claims, { ...headOf(key), typ: 'JWT' }),
    'not signed': `${unsigned('none')}.`,
    'not signed, with the signature of another': `${unsigned('none')}.${signature}`,
    'signed with the public key as a secret': `${unsigned('HS256')}.${createHmac('sha256', publicKey)
      .update(unsigned('HS256'))
      .digest('base64url')}`,
    'with every role put in': changed({ roles: ['ROLE_ADMIN', 'ROLE_OPERATOR', 'ROLE_USER', 'SCHEDULE'] }),
    'with the other account put in': changed({ acc: other.accountId }),
    'with a later end put in': changed({ exp: claims.exp + 3_600 }),
    'with the signature of another': one.sample.access.replace(/[^.]+$/, one.session.access.split('.')[2]!),
    'without the last letter': one.sample.access.slice(0, -1),
    'without its times, properly signed': signToken(key, { ...claims, iat: undefined, exp: undefined }),
    'with roles that are text, properly signed': signToken(key, { ...claims, roles: 'ROLE_ADMIN' }),
  }
  return Object.entries(tokens).map(([name, token]) => invalid(name, headersOf(token, claims.dev)))
}

/** Only a credential that was valid is reported as expired. */
export function expiredCredentials({ key, one }: World): RejectedCredential[] {
  const claims = claimsOf(one.sample)
  return [0, 3_600].map((ago) => {
    const exp = claims.iat - ago
    const token = signToken(key, { ...claims, iat: exp - 3_600, exp })
    return { name: `expired ${ago} s ago`, headers: headersOf(token, claims.dev), code: 'credential.expired' }
  })
}

/** Credentials that have not expired, but whose session, app key or user was ended. */
export async function voidCredentials(world: World): Promise<RejectedCredential[]> {
  const sessions = {
    'of a session that was logged out': await loggedOut(world),
    'of a session whose refresh credential was used twice': await stolen(world),
    'of an app key that was revoked': await revoked(world),
    'of a user who is disabled': await changedUser(world, 'disabled', { status: 'DISABLED' }),
    'of a user who was disabled and is not any more': await changedUser(
      world,
      'enabled',
      { status: 'DISABLED' },
      { status: 'ACTIVE' },
    ),
    'of a user with another password': await changedUser(world, 'password', { password: 'another password' }),
    'of a user with other roles': await changedUser(world, 'roles', { roles: ['ROLE_USER'] }),
    'of a user who is deleted': await deletedUser(world),
  }
  return Object.entries(sessions).map(([name, { headers }]) => invalid(name, headers))
}

/** A session that was used once, so that the process has its signature cached. */
async function used(api: Api, opening: Promise<Session>): Promise<Session> {
  const session = await opening
  await api.done(operations.listBrands, { headers: session.headers })
  return session
}

async function loggedOut({ api, one }: World): Promise<Session> {
  const session = await used(api, logIn(api, one.login))
  await api.done(operations.endSession, { headers: session.headers })
  return session
}

/** A refresh credential that was replaced twice is not a retry after a lost answer: it must be a copy. */
async function stolen({ api, one }: World): Promise<Session> {
  const session = await used(api, logIn(api, one.login))
  const last = await refresh(api, await refresh(api, session))
  const again = await api.call(operations.refreshSession, { body: { token_refresh: session.refresh } })
  if (again.status !== 401) throw new Error(`an old refresh credential is answered with ${again.status}`)
  return last
}

async function revoked({ api, one: { session: admin } }: World): Promise<Session> {
  const { headers } = admin
  const body = { app_name: 'revoked' }
  const key = await api.done<{ app_key_id: string; sdk_key: string }>(operations.createAppKey, {
    headers,
    body,
  })
  const session = await used(api, registerDevice(api, 'revoked', key.sdk_key))
  await api.done(operations.revokeAppKey, { headers, params: { app_key_id: key.app_key_id } })
  return session
}

async function changedUser(world: World, name: string, ...changes: readonly object[]): Promise<Session> {
  const { api, one } = world
  const session = await aUserOf(world, name)
  for (const body of changes) {
    const params = { user_id: claimsOf(session).sub }
    await api.done(operations.changeUser, { headers: one.session.headers, params, body })
  }
  return session
}

async function deletedUser(world: World): Promise<Session> {
  const { api, one } = world
  const session = await aUserOf(world, 'deleted')
  const params = { user_id: claimsOf(session).sub }
  await api.done(operations.deleteUser, { headers: one.session.headers, params })
  return session
}

async function aUserOf({ api, owner, one }: World, name: string): Promise<Session> {
  const account_name = one.accountName
  const login = { account_name, email: `${name}@void.example`, password: 'correct horse battery staple' }
  await owner.createUser(account_name, { ...login, name: '', roles: ['ROLE_USER', 'ROLE_ADMIN'] })
  return used(api, logIn(api, login))
}
