import { startPrivateNats } from '@continuity/dev/private-nats'
import { startPrivateNatsCluster } from '@continuity/dev/private-nats-cluster'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { connect, type NatsConnection } from '@nats-io/transport-node'

const serverOptions = async (opened: AsyncDisposableStack) => ({
  home: await temporaryFolder(opened),
  searchPath: process.env['PATH'] ?? '',
  log: () => {},
})

/** One server in its own folder. */
export async function startNatsServer(opened: AsyncDisposableStack) {
  const nats = await startPrivateNats(await serverOptions(opened))
  opened.defer(() => nats.stop())
  return nats
}

/** Servers that can be killed, and started again at the same addresses. */
export async function startNatsCluster(opened: AsyncDisposableStack, size: number) {
  const nats = await startPrivateNatsCluster({ ...(await serverOptions(opened)), size })
  opened.defer(() => nats.stop())
  return nats
}

/** A client of our own, which connects again whenever the server is back. */
export function connectNats(url: string): Promise<NatsConnection> {
  const { username, password, host } = new URL(url)
  return connect({ servers: host, user: username, pass: password, maxReconnectAttempts: -1 })
}
