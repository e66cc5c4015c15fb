import { sign, verify } from 'node:crypto'
import type { SigningKey, VerifyingKey } from '../signing-keys/keys-file.ts'

/** The header with a key id, a dot and an Ed25519 signature in base64url. */
export const SIGNATURE_HEADER = 'Continuity-Signature'

export interface FeedSigner {
  /** The value of the header. */
  sign(subject: string, payload: Uint8Array): string
  /** Whether a message was signed with one of the keys. */
  isValid(subject: string, payload: Uint8Array, signature: string | undefined): boolean
  /** Whether a message was signed with the current key, or with a later one. */
  isCurrent(subject: string, payload: Uint8Array, signature: string | undefined): boolean
}

export interface FeedVerifier {
  isValid(subject: string, payload: Uint8Array, signature: string | undefined): boolean
  /** A new object after every change of the keys: an invalid message may be valid now. */
  keys(): object
}

export function signFeed(
  signingKey: () => SigningKey,
  keys: () => ReadonlyMap<string, SigningKey>,
): FeedSigner {
  return {
    sign(subject, payload) {
      const { kid, privateKey } = signingKey()
      return `${kid}.${sign(null, signedBytes(subject, payload), privateKey).toString('base64url')}`
    },
    isValid: (subject, payload, signature) => findSigner(keys(), subject, payload, signature) !== undefined,
    isCurrent(subject, payload, signature) {
      const key = findSigner(keys(), subject, payload, signature)
      return key !== undefined && key.createdMs >= signingKey().createdMs
    },
  }
}

export function verifyFeed(keys: () => ReadonlyMap<string, VerifyingKey>): FeedVerifier {
  return {
    isValid: (subject, payload, signature) => findSigner(keys(), subject, payload, signature) !== undefined,
    keys,
  }
}

function findSigner<Key extends VerifyingKey>(
  keys: ReadonlyMap<string, Key>,
  subject: string,
  payload: Uint8Array,
  signature: string | undefined,
): Key | undefined {
  const [, kid = '', text = ''] = SIGNATURE.exec(signature ?? '') ?? []
  const key = keys.get(kid)
  if (key === undefined) return undefined
  const isSigned = verify(null, signedBytes(subject, payload), key.publicKey, Buffer.from(text, 'base64url'))
  return isSigned ? key : undefined
}

/** 64 bytes are 86 characters. A key id may contain dots. */
const SIGNATURE = /^(.+)\.([\w-]{86})$/

/** Part of the signed bytes, so that a signature of the feed is valid for nothing else. */
const PURPOSE = 'continuity feed 1'

/** Subjects contain no line break, so the encoding is unambiguous. */
const signedBytes = (subject: string, payload: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${PURPOSE}\n${subject}\n`), payload])
