import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createOutboundClient,
  type OutboundClient,
} from '../../packages/server/src/platform/outbound/outbound-client.ts'
import { lookupBySystem } from '../../packages/server/src/platform/outbound/resolve.ts'
import { round } from '../../tools/figures/figures.ts'
import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { startAllowedServer } from './allowed-server.ts'
import { type Canary, startCanary, watchAttempts } from './canary.ts'
import {
  byRedirect,
  type HostileCase,
  type HostileKind,
  malformed,
  otherPorts,
  redirectLoops,
  writtenOut,
} from './hostile-cases.ts'
import { BAD, lyingNames, ONCE_GOOD } from './lying-names.ts'
import { startNameServer } from './name-server.ts'
import { tryCases } from './try-cases.ts'

/** Minimum number of each kind at full size. */
const LEAST: Readonly<Record<HostileKind, number>> = {
  'written out': 590,
  'by a redirect': 600,
  'by a name': 100,
  malformed: 90,
  port: 40,
  'redirect loop': 3,
}

const kinds = Object.keys(LEAST) as HostileKind[]

export const hostileAddresses = proof({
  name: 'hostile-addresses',
  title: 'No address leads the outbound client into the internal network',
  promise:
    'Hostile addresses are given to the client that fetches everything: each private range in every notation of IPv4 ' +
    'and inside of IPv6 addresses, redirects to each of them, names whose DNS server (a real one) answers with them, ' +
    'with one of them among good ones, or with another address the second time, user names, schemes, ports, zones, ' +
    'line ends, and addresses that are too long. Canaries listen on all addresses of this machine, one of them at the ' +
    'port of a server that is allowed, and a hook below every client records each connection that the process tries ' +
    'to open. No connection goes anywhere but to the allowed server; every address ends with the expected ' +
    'error code, and no error message contains an internal address. A client without these checks, and one whose allow list ' +
    'names the canary, show in the same run that the canaries can be reached. The allowed server can still be fetched ' +
    'from afterwards.',
  watches: ['packages/server/src/platform/outbound', 'e2e/hostile-addresses'],
  sabotage: {
    title: 'addresses that a name resolves to are not checked',
    changes: [
      {
        file: 'packages/server/src/platform/outbound/resolve.ts',
        from: 'const bad = addresses.find((address) => !isFine(address))',
        to: 'const bad = isIP(host) === 0 ? undefined : addresses.find((address) => !isFine(address))',
      },
    ],
    missed: ['addresses_with_wrong_outcome', 'connections_beyond_the_allowed_server'],
  },
  sizes: { small: { share: 0.1 }, full: { share: 1 } },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    // Without IPv6 there is no `::` to listen on.
    const canary = opened.use(await startCanary().catch(() => startCanary('0.0.0.0')))
    const server = opened.use(await startAllowedServer())
    const neighbour = opened.use(await startCanary(BAD, server.port))
    const targets = { canaryPort: canary.port, allowedOrigin: server.origin }
    const { zone, cases: names } = lyingNames(targets)
    const nameServer = opened.use(await startNameServer(zone))
    const lookup = (name: string) => (name.endsWith('.test') ? nameServer.lookup(name) : lookupBySystem(name))
    const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const open = (allow: readonly string[]): OutboundClient => {
      const client = createOutboundClient({ allow, lookup, limits: { lookupMs: 500, connectMs: 1_000 } })
      opened.defer(() => client.close())
      return client
    }
    const attempts = opened.use(watchAttempts())

    const all = [
      ...writtenOut(targets),
      ...byRedirect(targets),
      ...names,
      ...malformed(targets),
      ...otherPorts(),
      ...redirectLoops(targets),
    ]
    const chosen = chooseOfEachKind(all, size.share, seededRandom(seed))
    const client = open([`127.0.0.1:${server.port}`])
    const tried = await tryCases(client, chosen, { folder, log })
    const isStray = (target: string) => target !== `127.0.0.1:${server.port}`
    const strays = attempts.list().filter(isStray)
    for (const stray of [...new Set(strays)].slice(0, 10)) log(`connected to ${stray}`)
    const connections = canary.connections() + neighbour.connections()

    const onceGood = await textOf(client, `http://${ONCE_GOOD}:${server.port}/here`)
    const afterwards = await textOf(client, `${server.origin}/here`)
    const isNeighbourSpared = neighbour.connections() === 0
    const controlled = await reachCanaries(
      [canary, neighbour],
      [
        () => fetchText(`http://0x7f.1:${canary.port}/`),
        () => textOf(open([`127.0.0.1:${canary.port}`]), `http://2130706433:${canary.port}/`),
        () => fetchText(`http://${BAD}:${server.port}/`),
      ],
    )

    return {
      figures: {
        addresses: tried.total,
        ...Object.fromEntries(kinds.map((kind) => [figureOf(kind), tried.rejected.get(kind) ?? 0])),
        addresses_with_wrong_outcome: tried.wrong,
        slowest_ms: round(tried.slowestMs, 0),
        error_messages_with_an_internal_address: tried.leaking,
        connections_to_canaries: connections,
        connections_beyond_the_allowed_server: strays.length,
        fetched_from_a_name_that_is_good_only_once: onceGood === 'here' && isNeighbourSpared ? 1 : 0,
        fetched_from_the_allowed_server_afterwards: afterwards === 'here' ? 1 : 0,
        control_requests_counted_by_canaries: controlled,
        control_connections_seen_by_the_hook: attempts.list().filter(isStray).length - strays.length,
      },
      targets: {
        ...Object.fromEntries(
          kinds.map((kind) => [figureOf(kind), { atLeast: Math.ceil(LEAST[kind] * size.share) }]),
        ),
        addresses_with_wrong_outcome: { is: 0 },
        error_messages_with_an_internal_address: { is: 0 },
        connections_to_canaries: { is: 0 },
        connections_beyond_the_allowed_server: { is: 0 },
        fetched_from_a_name_that_is_good_only_once: { is: 1 },
        fetched_from_the_allowed_server_afterwards: { is: 1 },
        control_requests_counted_by_canaries: { is: 3 },
        control_connections_seen_by_the_hook: { is: 3 },
      },
    }
  },
})

const figureOf = (kind: HostileKind): string => `rejected_${kind.replaceAll(' ', '_')}`

/** The same share of every kind, and at least one. */
const chooseOfEachKind = (
  cases: readonly HostileCase[],
  share: number,
  random: () => number,
): readonly HostileCase[] =>
  [...Map.groupBy(cases, ({ kind }) => kind).values()].flatMap((those) =>
    those
      .map((one) => ({ one, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, Math.ceil(those.length * share))
      .map(({ one }) => one),
  )

/** Sends requests that do reach a canary, one after another; returns how many the canaries counted. */
async function reachCanaries(
  canaries: readonly Canary[],
  requests: readonly (() => Promise<unknown>)[],
): Promise<number> {
  const count = () => canaries.reduce((sum, canary) => sum + canary.connections(), 0)
  const before = count()
  for (const request of requests) await request()
  return count() - before
}

const fetchText = (url: string): Promise<string> => fetch(url).then((answer) => answer.text())

/** Empty if the fetch fails. */
async function textOf(client: OutboundClient, url: string): Promise<string> {
  try {
    const { body } = await client.get({ url, mostBytes: 1_000, signal: AbortSignal.timeout(60_000) })
    let text = ''
    for await (const chunk of body) text += chunk.toString()
    return text
  } catch {
    return ''
  }
}
