import type { IncomingHttpHeaders } from 'node:http'
import { noReport, type PlayerReport, readCmcd } from '@continuity/core/audience/cmcd'

/** The session that a request names. */
export const findSid = (query: string): string | undefined => findArgument(query, 'sid=')

/** What the player reports of itself with a request, in its query or its headers. */
export function readReport(query: string, headers: IncomingHttpHeaders): PlayerReport {
  const argument = findArgument(query, 'CMCD=')
  if (argument !== undefined) return readCmcd(decode(argument))
  const sent = CMCD_HEADERS.flatMap((name) => headers[name] ?? [])
  return sent.length === 0 ? noReport : readCmcd(sent.join(','))
}

const CMCD_HEADERS = ['cmcd-request', 'cmcd-session', 'cmcd-status', 'cmcd-object']

function findArgument(query: string, name: string): string | undefined {
  const start = query.startsWith(name) ? name.length : startBehind(query, `&${name}`)
  if (start === undefined) return undefined
  const end = query.indexOf('&', start)
  return end === -1 ? query.slice(start) : query.slice(start, end)
}

function startBehind(query: string, name: string): number | undefined {
  const at = query.indexOf(name)
  return at === -1 ? undefined : at + name.length
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
