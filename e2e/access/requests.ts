import { addressesOf, type Endpoint, operationList } from '@continuity/contract'
import { type Headers, type Request, type RequestParts, requestTo } from './call.ts'

/** An id that does not exist. */
const ABSENT = '0195c1de-6f00-7a10-8000-0000000fffff'
const params: Readonly<Record<string, string>> = { brand_id: 'unused', distributor: 'unused' }

const days = { query: { from: '2026-03-01', to: '2026-03-02' } }

/** Replaces the example of the contract where that cannot be used. */
const special: Readonly<Record<string, RequestParts>> = {
  // An invalid body: no password is checked, and no attempt is counted.
  login: { body: {} },
  registerDevice: { body: {} },
  refreshSession: { body: {} },
  // The examples name a brand and a playlist.
  createSeries: { body: { title: 'Harbour Nights' } },
  createLinearChannel: { body: { title: 'North One' } },
  reportAnalytics: days,
  reportInterstitials: days,
  reportChannelStarts: days,
  reportProgramSchedules: days,
  reportComponentSchedules: days,
  reportComponentMinutes: days,
  reportAudience: days,
}

/** A valid request for records that do not exist, so that it can be repeated. */
export function wellFormedParts(e: Endpoint): RequestParts {
  const ids = [...e.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, params[name] ?? ABSENT])
  return { params: Object.fromEntries(ids) as Record<string, string>, body: e.example.body, ...special[e.id] }
}

/** One method and path of an operation: aliases count, and HEAD for every GET. */
export interface Way {
  readonly operationId: string
  readonly name: string
  request(headers: Headers): Request
}

export const everyWay: readonly Way[] = operationList.flatMap((e) => {
  const methods = e.method === 'GET' ? ['GET', 'HEAD'] : [e.method]
  return addressesOf(e).flatMap((address, index) => {
    const path = index === 0 ? e.path : (e.aliases?.[index - 1] ?? '')
    const request = requestTo({ ...e, path }, wellFormedParts(e))
    return methods.map((method) => ({
      operationId: e.id,
      name: `${method} ${address}`,
      request: (headers: Headers) => ({ ...request, method, headers: { ...request.headers, ...headers } }),
    }))
  })
})

export const waysTo = (operationId: string): readonly Way[] =>
  everyWay.filter((way) => way.operationId === operationId)
