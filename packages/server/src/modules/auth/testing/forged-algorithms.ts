import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { encode, type Forge, type Forgeries, hmac, signed } from './forging.ts'

/** Tokens with another algorithm, or not signed with ours. */
export function forgedAlgorithms(forge: Forge): Forgeries {
  return { ...withoutOne(forge), ...withSharedSecrets(forge), ...withOthers(forge), ...withOurs(forge) }
}

const spellingsOfNone = ['none', 'None', 'NONE', 'nOnE', 'none ', 'nоne', '', null, undefined, 0, ['none']]

function withoutOne({ head, payload, signature }: Forge): Forgeries {
  const forgeries = spellingsOfNone.flatMap((alg) => {
    const header = encode({ ...head, alg })
    const name = `the algorithm ${JSON.stringify(alg) ?? 'left out'}`
    return [
      [`${name}, unsigned`, `${header}.${payload}.`],
      [`${name}, and the signature of EdDSA`, `${header}.${payload}.${signature}`],
    ]
  })
  return Object.fromEntries(forgeries) as Forgeries
}

/** The public key is not a secret, in any of these forms. */
function withSharedSecrets({ key, head, payload }: Forge): Forgeries {
  const pem = key.publicKey.export({ type: 'spki', format: 'pem' }) as string
  const jwk = key.publicKey.export({ format: 'jwk' })
  const secrets = {
    'public key as PEM': pem,
    'public key as PEM on one line less': pem.trimEnd(),
    'public key as DER': key.publicKey.export({ type: 'spki', format: 'der' }),
    'public key as JWK': JSON.stringify(jwk),
    'public key as its 32 bytes': Buffer.from(jwk.x ?? '', 'base64url'),
    'public key as base64url': jwk.x ?? '',
    'key id': key.kid,
    'empty text': '',
  }
  const forgeries: Record<string, string> = {
    'the public key as a shared secret, under our own algorithm': hmac(head, payload, 'sha256', pem),
  }
  for (const [name, secret] of Object.entries(secrets)) {
    for (const bits of ['256', '384', '512']) {
      const of = { ...head, alg: `HS${bits}` }
      forgeries[`the ${name} as a shared secret, HS${bits}`] = hmac(of, payload, `sha${bits}`, secret)
    }
  }
  return forgeries
}

/** Properly signed, with keys that the forger generated and sends along. */
function withOthers({ head, payload, claims }: Forge): Forgeries {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ed448 = generateKeyPairSync('ed448')
  const own = (alg: string, publicKey: KeyObject) => ({
    ...head,
    alg,
    jwk: publicKey.export({ format: 'jwk' }),
  })
  const hashed = (header: object, privateKey: KeyObject) => {
    const text = `${encode(header)}.${payload}`
    const bytes = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${text}.${bytes.toString('base64url')}`
  }
  return {
    'RS256 with a key of its own': hashed(own('RS256', rsa.publicKey), rsa.privateKey),
    'ES256 with a key of its own': hashed(own('ES256', ec.publicKey), ec.privateKey),
    'RS256 without its key': hashed({ ...head, alg: 'RS256' }, rsa.privateKey),
    'ES256 without its key': hashed({ ...head, alg: 'ES256' }, ec.privateKey),
    'an elliptic signature of nothing but zeros': `${encode({ ...head, alg: 'ES256' })}.${payload}.${zeros(64)}`,
    'a key of the larger curve': signed(own('EdDSA', ed448.publicKey), claims, ed448.privateKey),
    'an RSA signature under our own algorithm': hashed(head, rsa.privateKey),
    'an elliptic signature under our own algorithm': hashed(head, ec.privateKey),
  }
}

function withOurs({ key, head, header, payload, claims }: Forge): Forgeries {
  const named = (alg: unknown) => signed({ ...head, alg }, claims, key.privateKey)
  return {
    'the algorithm in lower case, properly signed': named('eddsa'),
    'the algorithm in upper case, properly signed': named('EDDSA'),
    'the algorithm with a space, properly signed': named('EdDSA '),
    'the algorithm in a list, properly signed': named(['EdDSA']),
    'the algorithm by its curve, properly signed': named('Ed25519'),
    'the algorithm of RSA, properly signed': named('RS256'),
    'a signature of nothing but zeros': `${header}.${payload}.${zeros(64)}`,
    'a signature of the neutral point': `${header}.${payload}.${neutralSignature}`,
  }
}

const zeros = (length: number) => Buffer.alloc(length).toString('base64url')

/** R is the neutral element of the curve, S is 0: valid only for a public key of small order. */
const neutralSignature = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]).toString('base64url')
