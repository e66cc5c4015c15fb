import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { startNginx } from '@continuity/dev/nginx'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { continuity, startContinuity } from '../../e2e/catalog/continuity.ts'
import { LOGIN } from '../ingest/ingest-system.ts'
import { PATIENCE_MS } from '../on-air/channels.ts'
import { addressOf, type OutputRef } from '../on-air/fetch-playlist.ts'
import type { OnAirSystem } from '../on-air/on-air-system.ts'

/** Has outputs counted from logs, and waits until nodes have received that. */
export async function countFromLogs(system: OnAirSystem, outputs: readonly OutputRef[]): Promise<void> {
  for (const { channelId, distributor } of outputs) {
    const path = `/api/2.3/linear_channels/${channelId}/outputs/${distributor}`
    await system.call('PATCH', path, { audience_source: 'LOGS' })
  }
  await untilLearnt(system, outputs)
}

/**
 * Waits until nodes have received that the outputs are counted from logs: a monitor then gets no signed id. The caller waits
 * for the minute that nodes may take.
 */
async function untilLearnt({ nodes }: OnAirSystem, outputs: readonly OutputRef[]): Promise<void> {
  const addresses = nodes.flatMap((node) =>
    outputs.map((output) => addressOf(node.url(), output, 'index.m3u8')),
  )
  for (const address of addresses) {
    const isReceived = async () => {
      const answer = await fetch(address, { headers: { 'user-agent': 'Some-Monitor/2' } })
      return /sid=[0-9a-f-]{36}(&|\n)/.test(await answer.text()) || undefined
    }
    if (!(await pollUntil(isReceived, PATIENCE_MS))) throw new Error('a node does not receive a change')
  }
}

/** An nginx in front of both nodes, with a cache and a log of its own. */
export async function startEdge(opened: AsyncDisposableStack, { nodes }: OnAirSystem) {
  const parent = await temporaryFolder(opened)
  await chmod(parent, 0o711)
  const folder = join(parent, 'nginx')
  const [port] = await findLastingPorts()
  const ports = nodes.map((node) => Number(new URL(node.url()).port)) as [number, number]
  const nginx = await startNginx({ folder, port, apiPorts: ports, playoutPorts: ports, keepaliveMs: 1_000 })
  opened.defer(() => nginx.stop())
  return { url: `http://127.0.0.1:${port}`, log: join(folder, 'viewers.log') }
}

interface Imported {
  readonly counted: number
  readonly repeated: number
}

/** Imports texts of logs by the command, as files. */
export async function createImporter(opened: AsyncDisposableStack, { apiUrl }: OnAirSystem) {
  const folder = await temporaryFolder(opened)
  let files = 0
  const write = async (text: string, isPacked: boolean) => {
    files += 1
    const path = join(folder, `${files}.log${isPacked ? '.gz' : ''}`)
    await writeFile(path, isPacked ? gzipSync(text) : text)
    return path
  }
  return {
    async run(texts: readonly string[], isPacked = false): Promise<Imported> {
      const paths = await Promise.all(texts.map((text) => write(text, isPacked)))
      const result = await continuity(apiUrl, LOGIN, 'audience', 'import', ...paths, '--json')
      if (result.exitCode !== 0) throw new Error(`the import failed: ${result.output} ${result.complaint}`)
      return JSON.parse(result.output) as Imported
    },
    /** Starts an import and kills it, after each of these times; returns how many had not ended. */
    async kill(text: string, afterMs: readonly number[]): Promise<number> {
      const path = await write(text, false)
      let killed = 0
      for (const ms of afterMs) {
        const running = startContinuity(apiUrl, LOGIN, 'audience', 'import', path)
        await setTimeout(ms)
        running.kill()
        if ((await running.result).exitCode === null) killed += 1
      }
      return killed
    },
  }
}

/** The first and the last two thirds, which overlap. */
export const head = (log: string): string => linesOf(log, (count) => [0, Math.ceil((count * 2) / 3)])
export const tail = (log: string): string => linesOf(log, (count) => [Math.floor(count / 3), count])

function linesOf(log: string, range: (count: number) => readonly [number, number]): string {
  const lines = log.split('\n').slice(0, -1)
  return `${lines.slice(...range(lines.length)).join('\n')}\n`
}
