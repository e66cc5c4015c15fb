import { hostname } from 'node:os'
import type { HostileCase, Targets } from './hostile-cases.ts'
import type { Zone } from './name-server.ts'
import { innerAddresses, innerV6 } from './notations.ts'

/** The allowed server is at GOOD, a canary at BAD, both on the same port: only the address distinguishes them. */
export const GOOD = '127.0.0.1'
export const BAD = '127.0.0.2'

/** A name that resolves correctly once. A second lookup between check and connect leads to the canary. */
export const ONCE_GOOD = 'once-good.hostile.test'

const forbidden = ['address.forbidden']
const unresolvable = ['address.unresolvable']

/** Names that resolve to internal addresses, and their answers. */
export function lyingNames({ canaryPort, allowedOrigin }: Targets): { zone: Zone; cases: HostileCase[] } {
  const zone = new Map<string, readonly (readonly string[])[]>([[ONCE_GOOD, [[GOOD], [BAD]]]])
  const cases: HostileCase[] = []
  const allowedPort = Number(new URL(allowedOrigin).port)
  const add = (
    port: number,
    answers: readonly (readonly string[])[],
    codes: readonly string[],
    path = '/',
  ) => {
    const name = `n${zone.size}.hostile.test`
    zone.set(name, answers)
    cases.push({ kind: 'by a name', url: `http://${name}:${port}${path}`, codes })
  }
  const inner = [...innerAddresses.map((bytes) => bytes.join('.')), ...innerV6, ...disguised]
  for (const address of inner) add(canaryPort, [[address]], forbidden)
  // Mixed with good ones: first, last, and of the other family.
  for (const address of inner.filter((each) => each !== GOOD)) add(allowedPort, [[GOOD, address]], forbidden)
  for (const bad of [BAD, '::1', '169.254.169.254']) add(allowedPort, [[bad, GOOD, GOOD]], forbidden)
  // Good at first: the server then redirects to the name itself.
  for (const bad of [BAD, '::1', '169.254.169.254', '10.0.0.1'])
    add(allowedPort, [[GOOD], [bad]], forbidden, '/again')
  for (const bad of [BAD, '::1']) add(allowedPort, [[GOOD], [GOOD, bad]], forbidden, '/again')
  add(canaryPort, [[]], unresolvable)
  add(canaryPort, [], unresolvable)
  cases.push(...systemNames(canaryPort))
  return { zone, cases }
}

/** IPv4 addresses embedded in IPv6 ones, as a DNS server can return them. */
const disguised = [
  '::ffff:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '::ffff:0:127.0.0.1',
]

/** Names that this machine resolves itself, in several spellings. */
const systemNames = (port: number): HostileCase[] =>
  [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛocalhost',
    '%6cocalhost',
    'loc\u00adalhost',
    hostname(),
  ].map((name) => ({
    kind: 'by a name',
    url: `http://${name}:${port}/`,
    codes: [...forbidden, ...unresolvable],
  }))
