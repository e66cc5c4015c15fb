import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { requireFreePort } from '../../tools/dev-stack/ports.ts'

const FIRST_PORT = 10_000
const ATTEMPTS = 100

/**
 * Three free ports that stay free while their process restarts.
 *
 * They lie below those that the kernel gives to outgoing connections: the load
 * opens hundreds while a process is down, and one of them would sooner or
 * later sit on the port that the process needs back.
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

/** Linux says it; elsewhere it is 32768 or more by default. */
async function firstOutgoingPort(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '32768')
  return Math.max(Number.parseInt(range, 10), FIRST_PORT + 1_000)
}
