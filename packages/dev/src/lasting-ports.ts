import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { requireFreePort } from './ports.ts'

const FIRST_PORT = 10_000
const ATTEMPTS = 100

/**
 * Three free ports that stay free while their process restarts.
 *
 * They are below the ephemeral ports: the load opens hundreds of connections
 * while a process is down, and one of them could take the port that the process
 * needs again.
 */
export async function findLastingPorts(): Promise<[number, number, number]> {
  const endPort = await firstOutgoingPort()
  const found = new Set<number>()
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // Not from a proof's seed: two runs of one seed, side by side, need different ports.
    const port = randomInt(FIRST_PORT, endPort)
    if (await isFree(port)) found.add(port)
    const [first, second, third] = found
    if (first !== undefined && second !== undefined && third !== undefined) return [first, second, third]
  }
  throw new Error(`There are no three free ports from ${FIRST_PORT} to ${endPort}.`)
}

async function isFree(port: number): Promise<boolean> {
  return requireFreePort(port).then(
    () => true,
    () => false,
  )
}

/** From /proc on Linux; elsewhere the default is 32768 or more. */
async function firstOutgoingPort(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '32768')
  return Math.max(Number.parseInt(range, 10), FIRST_PORT + 1_000)
}
