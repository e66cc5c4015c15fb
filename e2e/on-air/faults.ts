import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { Link } from '../../packages/server/src/platform/testing/a-link.ts'
import type { PrivateNatsCluster } from '../../tools/dev-stack/private-nats-cluster.ts'
import { pollUntil } from '../../tools/dev-stack/waiting.ts'
import { PATIENCE_MS } from './channels.ts'

/** Something that befalls the feed, and is set right again. */
export interface FeedFault {
  readonly name: string
  /** Whether changes reach both nodes all the same while it lasts. */
  readonly isBorne: boolean
  strike(): Promise<void>
  mend(): Promise<void>
}

/** Every fault; `link` is the way of the second node to NATS. */
export function faultsOf({ servers }: PrivateNatsCluster, link: Link): readonly FeedFault[] {
  const killAll = () => Promise.all(servers.map((server) => server.kill()))
  const startAll = async () => {
    await Promise.all(servers.map((server) => server.start()))
    await untilElected(servers[0]!.url)
  }
  // Not the first: the second node knows no other.
  const oneOf = servers[1]!
  return [
    { name: 'one NATS server of three killed', isBorne: true, strike: oneOf.kill, mend: oneOf.start },
    {
      name: 'a node cut off without a word',
      isBorne: false,
      strike: async () => link.silence(),
      mend: link.restore,
    },
    { name: 'a node refused', isBorne: false, strike: link.refuse, mend: link.restore },
    {
      name: 'all of NATS killed',
      isBorne: false,
      strike: async () => void (await killAll()),
      mend: startAll,
    },
    {
      name: 'all of NATS killed, and all that it kept deleted',
      isBorne: false,
      async strike() {
        await killAll()
        await Promise.all(servers.map((server) => server.deleteStore()))
      },
      mend: startAll,
    },
  ]
}

/** Servers that start together first elect who leads, for up to ten seconds; until then JetStream is not back. */
async function untilElected(url: string): Promise<void> {
  const { username, password, host } = new URL(url)
  const connection = await connect({ servers: host, user: username, pass: password })
  const isElected = async () => {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 500 })
    return manager.getAccountInfo().then(
      () => true,
      () => undefined,
    )
  }
  const isBack = await pollUntil(isElected, PATIENCE_MS)
  await connection.close()
  if (isBack === undefined) throw new Error('JetStream is not back in time')
}
