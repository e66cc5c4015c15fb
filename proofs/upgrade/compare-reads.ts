import { type OperationId, operations } from '@continuity/contract'

/** What is read through the API processes of both releases: everything that a control room shows. */
const reads = [
  'getAccount',
  'listUsers',
  'listAppKeys',
  'listBrands',
  'listSeries',
  'getSeries',
  'listPlaylists',
  'listPlaylistVideos',
  'listVideos',
  'getVideo',
  'listLinearChannels',
  'getLinearChannel',
  'listOutputs',
  'listPrograms',
  'readOnAirNow',
  'listLiveSources',
  'listAlerts',
  'listAudit',
  'listWebhooks',
  'listAlertRecipients',
  'reportProgramSchedules',
  'reportComponentSchedules',
] as const satisfies readonly OperationId[]

/** So many of them every release has. */
export const LEAST_READS = 18

/** Undefined where the release does not have the operation. */
export type Read = (path: string) => Promise<unknown>

/** Values for the parameters in paths. */
export type PathIds = Readonly<Record<string, string>>

/** How many answers were compared, and those that differ, by their paths. The later release may add fields, and has all of the earlier one. */
export async function compareReads(
  { earlier, later }: { readonly earlier: Read; readonly later: Read },
  ids: PathIds,
  query: string,
): Promise<{ readonly compared: number; readonly differing: string[] }> {
  const differing: string[] = []
  let compared = 0
  for (const id of reads) {
    const path = pathOf(id, ids) + (id.startsWith('report') ? query : '')
    const [one, other] = await Promise.all([earlier(path), later(path)])
    if (one === undefined) continue
    compared += 1
    const where = findDifference(one, other)
    if (where !== undefined) differing.push(`${path}: ${where}`)
  }
  return { compared, differing }
}

function pathOf(id: (typeof reads)[number], ids: PathIds): string {
  const { version, path } = operations[id]
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = ids[name]
    if (value === undefined) throw new Error(`${id}: no value for ${name}`)
    return value
  })
  return `/api/${version}${filled}`
}

/** Where the other value lacks something of this one, or has something else. */
export function findDifference(one: unknown, other: unknown, at = '$'): string | undefined {
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return `${at} has ${one.length} and ${other.length} entries`
    return firstOf(one.map((value, index) => findDifference(value, other[index], `${at}[${index}]`)))
  }
  if (isObject(one) && isObject(other)) {
    return firstOf(Object.keys(one).map((name) => findDifference(one[name], other[name], `${at}.${name}`)))
  }
  return one === other ? undefined : `${at} is ${JSON.stringify(one)} and ${JSON.stringify(other)}`
}

const firstOf = (found: readonly (string | undefined)[]): string | undefined =>
  found.find((it) => it !== undefined)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
