import type { RejectedCredential } from './rejected-credentials.ts'
import { headersOf } from './session.ts'
import type { World } from './world.ts'

/** Valid tokens with random changes. */
export function* randomForgeries(
  { one, other }: World,
  count: number,
  random: () => number,
): Generator<RejectedCredential> {
  const good = [one.sample.access, other.sample.access]
  for (let made = 0; made < count; ) {
    const [name, change] = pick(changes, random)
    const token = change(pick(good, random), good, random)
    // HTTP trims spaces, and an empty credential counts as missing.
    if (good.includes(token) || token === '' || token !== token.trim()) continue
    made += 1
    const headers = headersOf(token, one.sample.deviceId)
    yield { name: `${name}, random, number ${made}`, headers, code: 'credential.invalid' }
  }
}

type Change = (token: string, good: readonly string[], random: () => number) => string

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/'

const changes: readonly (readonly [string, Change])[] = [
  ['a letter changed', (token, _, random) => splice(token, random, 1, pick(ALPHABET, random))],
  ['a part cut out', (token, _, random) => splice(token, random, some(random), '')],
  ['a part inserted', (token, _, random) => splice(token, random, 0, letters(random))],
  ['a part changed', (token, _, random) => splice(token, random, some(random), letters(random))],
  ['the end cut off', (token, _, random) => token.slice(0, Math.floor(random() * token.length))],
  ['parts of two', (_, good, random) => [0, 1, 2].map((at) => pick(good, random).split('.')[at]).join('.')],
  ['claims of two', (token, good, random) => mixClaims(token, pick(good, random), random)],
  ['letters only', (_, __, random) => [letters(random), letters(random), letters(random)].join('.')],
]

const some = (random: () => number) => 1 + Math.floor(random() * 40)

/** Claims of one token and some of another, under the signature of the first. */
function mixClaims(token: string, from: string, random: () => number): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = decode(payload)
  for (const [name, value] of Object.entries(decode(from.split('.')[1] ?? ''))) {
    if (random() < 0.5) claims[name] = value
  }
  if (random() < 0.5) claims['exp'] = Math.floor(random() * 2 ** 33)
  return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
}

const decode = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

function splice(token: string, random: () => number, cut: number, put: string): string {
  const at = Math.floor(random() * token.length)
  return token.slice(0, at) + put + token.slice(at + cut)
}

const letters = (random: () => number) =>
  Array.from({ length: some(random) }, () => pick(ALPHABET, random)).join('')

function pick<T>(from: ArrayLike<T>, random: () => number): T {
  return from[Math.floor(random() * from.length)]!
}
