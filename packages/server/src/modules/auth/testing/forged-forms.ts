import { sign } from 'node:crypto'
import { signToken, type TokenClaims } from '../credentials/access-token.ts'
import { encode, type Forge, type Forgeries, signed } from './forging.ts'

/** Tokens that are truncated, recombined or encoded in another way. */
export function forgedForms(forge: Forge, source: TokenClaims): Forgeries {
  return {
    ...withParts(forge),
    ...withSignatures(forge, source),
    ...withSpellings(forge),
    ...withWrappings(forge),
    ...withStrangeLetters(forge),
  }
}

function withParts({ token, header, payload, signature, key, head, claims }: Forge): Forgeries {
  const encrypted = encode({ alg: 'dir', enc: 'A256GCM' })
  return {
    nothing: '',
    'one dot': '.',
    dots: '..',
    'many dots': '.'.repeat(2_000),
    'one letter': 'x',
    'a header alone': header,
    'no signature': `${header}.${payload}.`,
    'no signature and no dot': `${header}.${payload}`,
    'no payload': `${header}..${signature}`,
    'no header': `.${payload}.${signature}`,
    'a part too many': `${token}.${signature}`,
    'a part before': `.${token}`,
    'a dot behind': `${token}.`,
    'its parts in another order': `${payload}.${header}.${signature}`,
    'five parts, as if it were encrypted': `${encrypted}..${header}.${payload}.${signature}`,
    'five parts of one token': `${token}.${header}.${payload}`,
    'the first letter missing': token.slice(1),
    'the last letter missing': token.slice(0, -1),
    'half of it': token.slice(0, token.length / 2),
    'more than any token of ours': signed({ ...head, pad: 'x'.repeat(5_000) }, claims, key.privateKey),
    'as much as a header can hold': `${token}${'A'.repeat(12_000)}`,
  }
}

function withSignatures({ token, header, payload, signature, key }: Forge, source: TokenClaims): Forgeries {
  const bytes = Buffer.from(signature, 'base64url')
  const behind = (signature: Buffer) => `${header}.${payload}.${signature.toString('base64url')}`
  const foreign = signToken(key, { ...source, deviceId: 'x' }).split('.')[2]
  return {
    'the signature of another token': `${header}.${payload}.${foreign}`,
    'the signature of the header alone': behind(sign(null, Buffer.from(header), key.privateKey)),
    'the signature of the payload alone': behind(sign(null, Buffer.from(payload), key.privateKey)),
    'half of a signature': behind(bytes.subarray(0, 32)),
    'a signature with a byte more': behind(Buffer.concat([bytes, Buffer.alloc(1)])),
    'a signature with more behind it': `${token}AAAA`,
    'a signature back to front': behind(Buffer.from(bytes).reverse()),
    'a signature with its halves swapped': behind(Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)])),
    'a signature with the order of the curve added': behind(addOrder(bytes)),
  }
}

/** Valid for a verifier that does not check the range of S (RFC 8032 §5.1.7). */
function addOrder(signature: Buffer): Buffer {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order
  const moved = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()
  return Buffer.concat([signature.subarray(0, 32), moved])
}

/** A token has one encoding. */
function withSpellings({ token, header, payload, signature }: Forge): Forgeries {
  return {
    'padded parts': `${header}=.${payload}=.${signature}==`,
    'a padded signature': `${token}==`,
    'the alphabet of plain base64': `${header}.${payload}.${signature.replaceAll('-', '+').replaceAll('_', '/')}+`,
    'all in lower case': token.toLowerCase(),
    'all in upper case': token.toUpperCase(),
    'as hexadecimal': Buffer.from(token).toString('hex'),
    'encoded once more': encode(token),
    'dots as in an address': token.replaceAll('.', '%2E'),
    'commas for dots': token.replaceAll('.', ','),
    'a line break behind it': `${token}\n`,
    'spaces around it': ` ${token} `,
    'a space in it': `${header}. ${payload}.${signature}`,
    'a tab in it': `${header}.\t${payload}.${signature}`,
    'a vertical tab before it': `\v${token}`,
  }
}

function withWrappings({ token, header, payload, signature }: Forge): Forgeries {
  const flat = { payload, protected: header, signature }
  return {
    'a scheme before it': `Bearer ${token}`,
    'a scheme of its own before it': `JWT ${token}`,
    'in quotes': `"${token}"`,
    'twice, with a comma': `${token}, ${token}`,
    'twice, with a space': `${token} ${token}`,
    'as JSON': JSON.stringify(flat),
    'as JSON of several signatures': JSON.stringify({ payload, signatures: [flat] }),
    'in a list': JSON.stringify([token]),
    'with parameters behind it': `${token};alg=none`,
  }
}

/** Tokens that look like the valid one on a screen. */
function withStrangeLetters({ token, header, payload, signature }: Forge): Forgeries {
  return {
    'a Cyrillic letter': token.replace('e', 'е'),
    'full-width dots': [header, payload, signature].join('．'),
    'full-width letters': token.replaceAll(/[a-z]/g, (letter) =>
      String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
    ),
    'a zero-width space in it': `${header}\u200b.${payload}.${signature}`,
    'a soft hyphen in it': `${header}.${payload}\u00ad.${signature}`,
    'a byte order mark before it': `\ufeff${token}`,
    'a no-break space behind it': `${token}\u00a0`,
    'a direction override around it': `\u202d${token}\u202c`,
    'a long s': token.replace(/[sS]/, 'ſ'),
    'the Kelvin sign': token.replace(/[kK]/, '\u212a'),
  }
}
