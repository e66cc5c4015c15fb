import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGuard, type Guard } from '../../packages/server/src/platform/guarded-fetch/guarded-client.ts'
import { lookupBySystem } from '../../packages/server/src/platform/guarded-fetch/resolve.ts'
import { round } from '../../tools/figures/figures.ts'
import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { startAllowedServer } from './allowed-server.ts'
import { startCanary, watchAttempts } from './canary.ts'
import { byRedirect, malformed, otherPorts, roundAndRound, writtenOut } from './hostile-cases.ts'
import { BAD, lyingNames, ONCE_GOOD } from './lying-names.ts'
import { startNameServer } from './name-server.ts'
import { tryCases } from './try-cases.ts'

export const hostileAddresses = proof({
  name: 'hostile-addresses',
  title: 'Nothing is fetched from where nobody may reach',
  promise:
    'Addresses that mean harm are handed to the client that fetches everything: each inner range of the networks in ' +
    'every notation of IPv4 and inside of IPv6 addresses, redirects to each of them, names whose name server (a real ' +
    'one) answers with them, with one of them among good ones, or with another address the second time, user names, ' +
    'schemes, ports, zones, line ends, and what is too long. Canaries listen on all addresses of this machine, one ' +
    'at the very port of a server that is allowed, and a hook below every client notes each connection that the ' +
    'process tries to open. Nobody gets further than the allowed server; every address ends with a coded reason, ' +
    'soon, and no reason tells an address of the inside. That the canaries sing is shown by a client without a guard ' +
    'and by a guard that is allowed there.',
  sizes: { small: { share: 0.1 }, full: { share: 1 } },
  async run({ size, seed, say }) {
    await using opened = new AsyncDisposableStack()
    // A machine without IPv6 has no `::` to listen on.
    const canary = opened.use(await startCanary().catch(() => startCanary('0.0.0.0')))
    const server = opened.use(await startAllowedServer())
    const neighbour = opened.use(await startCanary(BAD, server.port))
    const targets = { canaryPort: canary.port, allowedOrigin: server.origin }
    const { zone, cases: names } = lyingNames(targets)
    const nameServer = opened.use(await startNameServer(zone))
    const lookup = (name: string) => (name.endsWith('.test') ? nameServer.lookup(name) : lookupBySystem(name))
    const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const open = (allow: readonly string[]): Guard => {
      const guard = createGuard({ allow, lookup, limits: { lookupMs: 500 } })
      opened.defer(() => guard.close())
      return guard
    }
    const attempts = opened.use(watchAttempts())

    const random = seededRandom(seed)
    const all = [
      ...writtenOut(targets),
      ...byRedirect(targets),
      ...names,
      ...malformed(targets),
      ...otherPorts(),
      ...roundAndRound(targets),
    ]
    const chosen = all.filter(() => random() < size.share)
    const guard = open([`127.0.0.1:${server.port}`])
    const tried = await tryCases(guard, chosen, { folder, say })
    const isStray = (target: string) => target !== `127.0.0.1:${server.port}`
    const strays = attempts.list().filter(isStray)
    for (const stray of new Set(strays)) say(`connected to ${stray}`)
    const connections = canary.connections() + neighbour.connections()

    const onceGood = await textOf(guard, `http://${ONCE_GOOD}:${server.port}/here`)
    const neighbourConnections = neighbour.connections()
    await fetch(`http://0x7f.1:${canary.port}/`).then((answer) => answer.text())
    await textOf(open([`127.0.0.1:${canary.port}`]), `http://2130706433:${canary.port}/`)

    return {
      figures: {
        addresses: chosen.length,
        addresses_refused_with_the_code_that_is_due: tried.refusedAsDue,
        addresses_that_ended_otherwise: tried.wrong,
        addresses_that_took_more_than_5_s: tried.late,
        slowest_ms: round(tried.slowestMs, 0),
        refusals_that_tell_an_address_of_the_inside: tried.telling,
        connections_to_canaries: connections,
        connections_tried_beyond_the_allowed_server: strays.length,
        fetched_from_a_name_that_is_good_only_once: onceGood === 'here' && neighbourConnections === 0 ? 1 : 0,
        canaries_that_sang_for_a_control: canary.connections() - connections,
        connections_seen_of_controls: attempts.list().filter(isStray).length - strays.length,
      },
      targets: {
        addresses: { atLeast: 300 * size.share },
        addresses_refused_with_the_code_that_is_due: { is: chosen.length },
        addresses_that_ended_otherwise: { is: 0 },
        addresses_that_took_more_than_5_s: { is: 0 },
        refusals_that_tell_an_address_of_the_inside: { is: 0 },
        connections_to_canaries: { is: 0 },
        connections_tried_beyond_the_allowed_server: { is: 0 },
        fetched_from_a_name_that_is_good_only_once: { is: 1 },
        canaries_that_sang_for_a_control: { is: 2 },
        connections_seen_of_controls: { is: 2 },
      },
    }
  },
})

async function textOf(guard: Guard, url: string): Promise<string> {
  const { body } = await guard.get({ url, mostBytes: 1_000, signal: AbortSignal.timeout(5_000) })
  let text = ''
  for await (const chunk of body) text += chunk.toString()
  return text
}
