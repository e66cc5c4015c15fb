import { createSocket, type Socket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { Lookup } from '../../packages/server/src/platform/outbound/resolve.ts'

/** The answers of a name by lookup; the last one repeats. No answers: no reply. */
export type Zone = ReadonlyMap<string, readonly (readonly string[])[]>

export interface NameServer extends AsyncDisposable {
  readonly lookup: Lookup
}

const TYPE_A = 1
const TYPE_AAAA = 28

/** A real DNS server on loopback for hostile names (RFC 1035 §4), and a resolver that uses it. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4')
  const lookups = new Map<string, number>()
  socket.on('message', (query, { port, address }) => {
    const reply = answer(query, zone, lookups)
    if (reply !== undefined) socket.send(reply, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { lookup: createLookup(socket), [Symbol.asyncDispose]: async () => void socket.close() }
}

/** Addresses of both families, IPv4 first, as one answer. */
function createLookup(socket: Socket): Lookup {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return async (name) => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const [failed] = found.filter((result) => result.status === 'rejected')
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (addresses.length === 0 && failed !== undefined) throw failed.reason
    return addresses
  }
}

function answer(query: Buffer, zone: Zone, lookups: Map<string, number>): Buffer | undefined {
  const { name, type, end } = readQuestion(query)
  const answers = zone.get(name)
  if (answers?.length === 0) return undefined
  const key = `${name} ${type}`
  const turn = lookups.get(key) ?? 0
  lookups.set(key, turn + 1)
  const now = answers?.[Math.min(turn, answers.length - 1)] ?? []
  const fitting = now.filter((address) => type === (isIPv6(address) ? TYPE_AAAA : TYPE_A))
  const head = Buffer.from(query.subarray(0, 12))
  // An authoritative answer; a name outside the zone does not exist.
  head.writeUInt16BE(answers === undefined ? 0x8583 : 0x8580, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(fitting.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, query.subarray(12, end), ...fitting.map((address) => recordOf(address, type))])
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** A record for the name of the question, with a TTL of zero. */
function recordOf(address: string, type: number): Buffer {
  const data = type === TYPE_A ? Buffer.from(address.split('.').map(Number)) : v6Bytes(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function v6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [before, after] = [groups(head), groups(tail)]
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]))
}
