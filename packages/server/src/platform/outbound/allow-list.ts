import { isIP } from 'node:net'

/**
 * Exceptions to the address rules, set by the operator: each a host and a port, as `127.0.0.1:9000`, `[::1]:9001` or
 * `media.internal:443`. A name allows every address that it resolves to, an address any name that resolves to it.
 */
export type AllowList = readonly string[]

export type AllowListResult =
  | { readonly kind: 'read'; readonly allow: AllowList }
  | { readonly kind: 'rejected'; readonly faults: readonly string[] }

/** Reads a comma-separated list and reports all of its faults. */
export function readAllowList(text: string): AllowListResult {
  if (text.trim() === '') return { kind: 'read', allow: [] }
  const entries = text.split(',').map((entry) => entry.trim())
  const faults = entries.flatMap((entry) => faultOf(entry) ?? [])
  if (faults.length > 0) return { kind: 'rejected', faults }
  return { kind: 'read', allow: entries.map((entry) => entry.toLowerCase()) }
}

export const isAllowed = (allow: AllowList, host: string, port: number): boolean =>
  allow.includes(`${host.includes(':') ? `[${host}]` : host}:${port}`)

function faultOf(entry: string): string | undefined {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(entry.toLowerCase()) ?? []
  if (host === '') return `"${entry}" is not HOST:PORT`
  if (Number(port) < 1 || Number(port) > 65_535 || port.startsWith('0')) return `"${entry}" has no valid port`
  return isSpelledPlainly(host) ? undefined : `"${entry}" is not an address or name in normal form`
}

/** An address in another spelling would never match, or match another address than it seems to. */
function isSpelledPlainly(host: string): boolean {
  const url = URL.parse(`http://${host}/`)
  if (url === null || url.hostname !== host) return false
  return isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0 || isName(host)
}

/** A DNS name in lower case, without a trailing dot. */
export const isName = (host: string): boolean => host.length <= 253 && NAME.test(host)

const NAME = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/
