import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { type SigningKey, signToken } from '../../packages/server/src/modules/auth/index.ts'
import { forgedTokens } from '../../packages/server/src/modules/auth/testing/forged-tokens.ts'
import type { Headers } from './call.ts'
import { claimsOf, headersOf } from './session.ts'
import type { World } from './world.ts'

/** An invalid credential, and the code of the 401 that it gets. */
export interface RejectedCredential {
  readonly name: string
  readonly headers: Headers
  readonly code: 'credential.missing' | 'credential.invalid' | 'credential.expired'
}

/** Credentials that are incomplete, of another device or kind, or expired. */
export function rejectedCredentials(world: World): RejectedCredential[] {
  return [...missing(world), ...onOtherDevices(world), ...ofOtherKinds(world), ...expired(world)]
}

function missing({ one }: World): RejectedCredential[] {
  const { access, deviceId } = one.sample
  const of = (name: string, headers: Headers) => ({ name, headers, code: 'credential.missing' as const })
  return [
    of('no credential', {}),
    of('the credential alone', { 'x-service-auth': access }),
    of('the device alone', { 'x-service-device': deviceId }),
    of('the device alone, in the other spelling', { 'x-service-deviceid': deviceId }),
    of('an empty credential', headersOf('', deviceId)),
    of('spaces for a credential', headersOf('   ', deviceId)),
    of('the credential in Authorization', {
      authorization: `Bearer ${access}`,
      'x-service-device': deviceId,
    }),
    of('the credential in a cookie', { cookie: `x-service-auth=${access}`, 'x-service-device': deviceId }),
    of('header names with underscores', { x_service_auth: access, x_service_device: deviceId }),
    of('headers of a proxy', { 'x-forwarded-user': 'admin', 'x-original-url': '/livez' }),
  ]
}

const invalid = (name: string, headers: Headers) => ({ name, headers, code: 'credential.invalid' as const })

/** Those that can be sent in a header. */
export function forgedCredentials({ key, one }: World): RejectedCredential[] {
  const claims = claimsOf(one.sample.access)
  const other: SigningKey = { kid: randomUUID(), createdMs: 0, ...generateKeyPairSync('ed25519') }
  return Object.entries(forgedTokens(key, other, claims))
    .map(([name, token]) => [name, asHeader(token)] as const)
    .filter(([, token]) => canBeSent(token))
    .map(([name, token]) => invalid(name, headersOf(token, claims.deviceId)))
}

/** Node writes headers as Latin-1, so that these bytes are sent unchanged. */
const asHeader = (token: string) => Buffer.from(token).toString('latin1')

/** HTTP trims spaces, and allows no control characters and no empty credential. */
const canBeSent = (token: string) => token === token.trim() && /^[\t\x20-\x7e\x80-\xff]+$/.test(token)

function onOtherDevices({ one, other }: World): RejectedCredential[] {
  const { access, deviceId } = one.sample
  const otherDevice = other.sample.deviceId
  const of = (name: string, headers: Headers) => invalid(name, { 'x-service-auth': access, ...headers })
  return [
    of('another device', { 'x-service-device': randomUUID() }),
    of('a device of the other account', { 'x-service-device': otherDevice }),
    of('another device, in the other spelling', { 'x-service-deviceid': otherDevice }),
    of('an empty device', { 'x-service-device': '' }),
    of('the device in capitals', { 'x-service-device': deviceId.toUpperCase() }),
    of('the device cut short', { 'x-service-device': deviceId.slice(0, -1) }),
    of('the device with more behind it', { 'x-service-device': `${deviceId}0` }),
    of('the device twice', { 'x-service-device': [deviceId, deviceId] }),
    of('the device and another', { 'x-service-device': [deviceId, otherDevice] }),
    of('another and the device', { 'x-service-device': [otherDevice, deviceId] }),
    of('two spellings that differ', { 'x-service-device': deviceId, 'x-service-deviceid': otherDevice }),
    of('two spellings that differ the other way', {
      'x-service-device': otherDevice,
      'x-service-deviceid': deviceId,
    }),
    of('one spelling empty', { 'x-service-device': deviceId, 'x-service-deviceid': '' }),
    of('the credential twice', { 'x-service-auth': [access, access], 'x-service-device': deviceId }),
    of('the credential and a bad one', { 'x-service-auth': [access, 'x'], 'x-service-device': deviceId }),
    of('a bad one and the credential', { 'x-service-auth': ['x', access], 'x-service-device': deviceId }),
    of("the other account's credential", headersOf(other.sample.access, deviceId)),
  ]
}

/** Everything else that a client gets from the API. */
function ofOtherKinds({ one, key }: World): RejectedCredential[] {
  const { sample, names, login, accountId } = one
  const of = (name: string, credential: string) => invalid(name, headersOf(credential, sample.deviceId))
  return [
    of('a refresh credential', sample.refresh),
    of('an SDK key', names.sdkKey),
    of('the id of the device', sample.deviceId),
    of('the id of the session', claimsOf(sample.access).sessionId),
    of('the id of the user', claimsOf(sample.access).subjectId),
    of('the id of the account', accountId),
    of('the id of the key', key.kid),
    of('a cursor', names.usersMark),
    of('the password', login.password),
    of('the e-mail', login.email),
  ]
}

/** Only a credential that was valid is reported as expired. */
function expired({ key, one }: World): RejectedCredential[] {
  const claims = claimsOf(one.sample.access)
  const of = (name: string, agoMs: number) => {
    const expiresMs = claims.issuedMs - agoMs
    const token = signToken(key, { ...claims, issuedMs: expiresMs - 3_600_000, expiresMs })
    return { name, headers: headersOf(token, claims.deviceId), code: 'credential.expired' as const }
  }
  return [
    of('expired at this moment', 0),
    of('expired an hour ago', 3_600_000),
    of('expired long ago', claims.issuedMs - 7_200_000),
  ]
}
