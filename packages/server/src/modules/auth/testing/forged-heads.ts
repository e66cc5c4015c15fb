import { encode, type Forge, type Forgeries, signed } from './forging.ts'

/** Tokens whose header is not the one that we write. */
export function forgedHeads(forge: Forge): Forgeries {
  return { ...withTypes(forge), ...withKeyIds(forge), ...withKeys(forge), ...withExtras(forge) }
}

function withTypes({ key, head, claims }: Forge): Forgeries {
  const { typ: _, ...untyped } = head
  const ours = (header: object) => signed(header, claims, key.privateKey)
  return {
    'another type of token, properly signed': ours({ ...head, typ: 'JWT' }),
    'the type of a refresh credential, properly signed': ours({ ...head, typ: 'rt+jwt' }),
    'the type of an identity, properly signed': ours({ ...head, typ: 'id+jwt' }),
    'the type in another case, properly signed': ours({ ...head, typ: 'AT+JWT' }),
    'the type written out, properly signed': ours({ ...head, typ: 'application/at+jwt' }),
    'the type in a list, properly signed': ours({ ...head, typ: ['at+jwt'] }),
    'no type, properly signed': ours(untyped),
    'a type that is null, properly signed': ours({ ...head, typ: null }),
  }
}

const strangeKeyIds = {
  'that is unknown': 'key-9',
  'that is empty': '',
  'that is null': null,
  'that is a number': 1,
  'that is a path': '../../../../dev/null',
  'that is a path to an address': 'file:///proc/self/environ',
  'that is an address': 'https://forger.example/keys.json',
  'that is SQL': "x' union select 'AAAA' --",
  'that is a command': '$(cat /etc/passwd)|`id`',
  'of a property that every object has': '__proto__',
  'of a method that every object has': 'constructor',
} as const

function withKeyIds({ key, other, head, claims }: Forge): Forgeries {
  const { kid: _, ...unnamed } = head
  const ours = (header: object) => signed(header, claims, key.privateKey)
  const strange = Object.entries(strangeKeyIds).map(([name, kid]) => [
    `a key id ${name}`,
    ours({ ...head, kid }),
  ])
  return {
    ...(Object.fromEntries(strange) as Forgeries),
    'no key id': ours(unnamed),
    'a key id with NUL behind it': ours({ ...head, kid: `${key.kid}\0` }),
    'a key id with a space behind it': ours({ ...head, kid: `${key.kid} ` }),
    'a key id in a list, properly signed': ours({ ...head, kid: [key.kid] }),
    'the key id of another key': signed(head, claims, other.privateKey),
    'a key of another system': signed({ ...head, kid: other.kid }, claims, other.privateKey),
    'the key id of another key, and our signature': ours({ ...head, kid: other.kid }),
  }
}

/** The forger's key in the token itself, or its address. */
function withKeys({ key, other, head, claims }: Forge): Forgeries {
  const jwk = other.publicKey.export({ format: 'jwk' })
  const der = other.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const theirs = (header: object) => signed({ ...head, ...header }, claims, other.privateKey)
  return {
    'a key of its own in the header': theirs({ kid: 'key-9', jwk }),
    'a key of its own in the header, called as ours': theirs({ jwk: { ...jwk, kid: key.kid } }),
    'an address of keys': theirs({ jku: 'https://forger.example/keys.json' }),
    'an address of keys on this machine': theirs({ jku: 'http://127.0.0.1:8080/docs' }),
    'an address of a certificate': theirs({ x5u: 'https://forger.example/cert.pem' }),
    'a certificate of its own': theirs({ x5c: [der] }),
    'the digest of a certificate': theirs({ x5t: 'AAAA', 'x5t#S256': 'AAAA' }),
    'our key in the header, and the signature of another': theirs({
      jwk: key.publicKey.export({ format: 'jwk' }),
    }),
  }
}

/** RFC 7515 §4.1.11: a token with an unsupported critical header must be rejected. */
function withExtras({ key, head, claims, payload, signature }: Forge): Forgeries {
  const ours = (header: unknown) => signed(header, claims, key.privateKey)
  const twice = (first: string) => `{${first},${JSON.stringify(head).slice(1)}`
  return {
    'something critical, properly signed': ours({ ...head, crit: ['exp'] }),
    'nothing critical, properly signed': ours({ ...head, crit: [] }),
    'a payload that is not encoded, properly signed': ours({ ...head, b64: false, crit: ['b64'] }),
    'a payload that is compressed, properly signed': ours({ ...head, zip: 'DEF' }),
    'a token in a token, properly signed': ours({ ...head, cty: 'JWT' }),
    'the algorithm twice, properly signed': ours(twice('"alg":"none"')),
    'the key id twice, properly signed': ours(twice('"kid":"key-9"')),
    'the algorithm twice': `${encode(twice('"alg":"none"'))}.${payload}.${signature}`,
    'a header that is null': `${encode('null')}.${payload}.${signature}`,
    'a header that is a list': `${encode([head])}.${payload}.${signature}`,
    'a header that is no JSON': `${encode('x')}.${payload}.${signature}`,
    'a header of bytes that are no text': `${Buffer.from([0xff, 0xfe, 0]).toString('base64url')}.${payload}.${signature}`,
  }
}
