import { connect as connectSocket } from 'node:net'
import type { Link } from '@continuity/dev/a-link'
import type { ClusterServer, PrivateNatsCluster } from '@continuity/dev/private-nats-cluster'
import { pollUntil } from '@continuity/dev/waiting'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { PATIENCE_MS } from './channels.ts'
import { readFigure } from './node-figures.ts'
import type { PlayoutNode } from './playout-node.ts'

/** Something that breaks the feed, and is repaired again. */
export interface FeedFault {
  readonly name: string
  /** Whether changes still reach both nodes while it lasts. */
  readonly isTolerated: boolean
  strike(): Promise<void>
  /** Whether servers and nodes show that it is in effect. */
  isInEffect(): Promise<boolean>
  /** The nodes that receive no changes while it lasts. */
  readonly cutOff: readonly PlayoutNode[]
  mend(): Promise<void>
}

/** Every fault; `link` is the second node's connection to NATS. */
export function faultsOf(
  { servers }: PrivateNatsCluster,
  link: Link,
  nodes: readonly [PlayoutNode, PlayoutNode],
): readonly FeedFault[] {
  const [, second] = nodes
  const secondIsSilent = () => hasSilence(second)
  const allAreGone = async () => {
    const are = await Promise.all([...servers.map(isGone), ...nodes.map(hasSilence)])
    return are.every((isSo) => isSo)
  }
  const killAll = () => Promise.all(servers.map((server) => server.kill()))
  const startAll = async () => {
    await Promise.all(servers.map((server) => server.start()))
    await untilElected(servers[0]!.url)
  }
  // Not the first: the second node is configured with that one only.
  const oneOf = servers[1]!
  return [
    {
      name: 'one NATS server of three killed',
      isTolerated: true,
      strike: oneOf.kill,
      isInEffect: () => isGone(oneOf),
      cutOff: [],
      mend: oneOf.start,
    },
    {
      name: 'a node cut off silently',
      isTolerated: false,
      strike: async () => link.silence(),
      isInEffect: secondIsSilent,
      cutOff: [second],
      mend: link.restore,
    },
    {
      name: 'connections refused to a node',
      isTolerated: false,
      strike: link.goDown,
      isInEffect: secondIsSilent,
      cutOff: [second],
      mend: link.restore,
    },
    {
      name: 'all of NATS killed',
      isTolerated: false,
      strike: async () => void (await killAll()),
      isInEffect: allAreGone,
      cutOff: nodes,
      mend: startAll,
    },
    {
      name: 'all of NATS killed, and its storage deleted',
      isTolerated: false,
      async strike() {
        await killAll()
        await Promise.all(servers.map((server) => server.deleteStore()))
      },
      isInEffect: allAreGone,
      cutOff: nodes,
      mend: startAll,
    },
  ]
}

/** Workers send a heartbeat every second: a node that received none for this long is cut off. */
const SILENCE_MS = 3_000

const hasSilence = async (node: PlayoutNode): Promise<boolean> =>
  (await readFigure(node.url(), 'feed_age_ms')) >= SILENCE_MS

/** Whether nothing accepts connections at the address of a server. */
function isGone({ url }: ClusterServer): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connectSocket(Number(port), hostname)
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })
}

/** Servers that start together elect a leader first, for up to ten seconds; JetStream is unavailable until then. */
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
  if (isBack === undefined) throw new Error('JetStream did not elect a leader in time')
}
