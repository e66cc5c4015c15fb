import { once } from 'node:events'
import { connect } from 'node:net'
import { birthOf } from '@continuity/dev/left-behind'
import type { StackRecord } from '@continuity/dev/stack-file'

/** Processes and ports of a stack that are still open, as text. */
export async function listRemains(record: StackRecord): Promise<string[]> {
  const running = await Promise.all(
    record.processes.map(async ({ name, pid, born }) =>
      (await birthOf(pid)) === born ? [`${name} runs as ${pid}`] : [],
    ),
  )
  const addresses = [record.base_url, record.playout_url, record.database_url, record.nats_url].filter(
    (url) => url !== null,
  )
  const listening = await Promise.all(
    addresses.map(async (url) => ((await accepts(new URL(url))) ? [`${url} accepts`] : [])),
  )
  return [...running, ...listening].flat()
}

async function accepts({ hostname, port }: URL): Promise<boolean> {
  const socket = connect({ host: hostname, port: Number(port) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(2_000) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
