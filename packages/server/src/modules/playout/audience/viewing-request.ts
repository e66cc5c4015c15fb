import type { IncomingHttpHeaders } from 'node:http'
import { noReport, type PlayerReport, readCmcd } from '@continuity/core/audience/cmcd'

/** The session id of a request. */
export const findSid = (query: string): string | undefined => findArgument(query, 'sid=', '&sid=')

/** The CMCD report of a request, in its query or its headers. */
export function readReport(query: string, headers: IncomingHttpHeaders): PlayerReport {
  const argument = findArgument(query, 'CMCD=', '&CMCD=')
  if (argument !== undefined) return readCmcd(decode(argument))
  let sent = ''
  for (const name of CMCD_HEADERS) if (headers[name] !== undefined) sent += `${String(headers[name])},`
  return sent === '' ? noReport : readCmcd(sent)
}

const CMCD_HEADERS = ['cmcd-request', 'cmcd-session', 'cmcd-status', 'cmcd-object'] as const

/** The name is passed with and without `&`, because concatenating it for every request would cost. */
function findArgument(query: string, first: string, later: string): string | undefined {
  const start = query.startsWith(first) ? first.length : startAfter(query, later)
  if (start === undefined) return undefined
  const end = query.indexOf('&', start)
  return end === -1 ? query.slice(start) : query.slice(start, end)
}

function startAfter(query: string, name: string): number | undefined {
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
