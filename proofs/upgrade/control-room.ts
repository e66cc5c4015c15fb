import { messageOf } from '@continuity/dev/fault'
import { pollUntil } from '@continuity/dev/waiting'
import { readChapter } from '../../e2e/getting-started/guide.ts'
import { callApi, type IngestBody, type IngestStatus, LOGIN, openSession } from '../ingest/ingest-system.ts'
import { createChannel, PATIENCE_MS, startChannel, untilAnswered, untilOnAir } from '../on-air/channels.ts'
import { addressOf, fetchAnswer, type OutputRef } from '../on-air/fetch-playlist.ts'
import { directOf } from '../on-air/output-watch.ts'
import { bodyOf, scheduleProgram, stockClips } from '../on-air/programs.ts'
import type { PathIds } from './compare-reads.ts'
import { type Release, thisRelease } from './releases.ts'
import type { Running, Site } from './site.ts'

const RUNBOOK = 'docs/runbooks/upgrade.md'

type Headers = Readonly<Record<string, string>>

/** Creates the schema with the release's own command, and an account with a user. */
export async function createAccount(site: Site, release: Release): Promise<void> {
  const { code, output } = await site.run(
    release,
    `set -e
continuity migrate
continuity accounts create ${LOGIN.account_name}
echo "$PASSWORD" |
continuity users create --account ${LOGIN.account_name} --email ${LOGIN.email} --roles ROLE_ADMIN,SCHEDULE --password-stdin`,
  )
  if (code !== 0) throw new Error(`${release.name} could not create its schema: ${output}`)
}

export const openHeaders = async ({ url }: Running): Promise<Headers> =>
  (await openSession(url, LOGIN)).headers

/** Calls an API process with a session, whichever release opened it. */
export function callerOf({ url }: Running, headers: Headers) {
  const call = <T>(method: string, path: string, body?: unknown) =>
    callApi<T>(url, headers, method, path, body)
  return {
    call,
    read: (path: string) =>
      call('GET', path).catch((error: unknown) => {
        if (messageOf(error).includes('"route.not_found"')) return undefined
        throw error
      }),
    submit: async (body: IngestBody) =>
      (await call<{ request_id: string }>('POST', '/api/2.1/automation/schedule', body)).request_id,
    statusOf: (requestId: string) => call<IngestStatus>('GET', `/api/2.1/automation/schedule/${requestId}`),
  }
}

export type Caller = ReturnType<typeof callerOf>

/** A catalog and a channel on the air; the ids of one record of each kind. */
export async function fillAccount(
  { site, nodes, nowMs }: { readonly site: Site; readonly nodes: readonly Running[]; nowMs(): number },
  caller: Caller,
): Promise<PathIds & { readonly linear_channel_id: string }> {
  const { call } = caller
  const channelId = await createChannel(caller, { title: 'One' })
  const videoIds = await stockClips({ ...site, ...caller, channelId, nowMs })
  await call('POST', '/api/2.1/brands', { brand_id: 'north', name: 'North' })
  const series = await call<{ series_id: string }>('POST', '/api/2.1/series', {
    title: 'Harbour Nights',
    brand_id: 'north',
  })
  const playlist = await call<{ playlist_id: string }>('POST', '/api/2.1/playlists', {
    title: 'Night trains',
  })
  await call('PUT', `/api/2.1/playlists/${playlist.playlist_id}/videos`, { video_ids: videoIds })
  await startChannel(caller, channelId)
  await untilOnAir(caller, channelId, PATIENCE_MS)
  await untilAnswered(
    nodes.map(({ url }) => url),
    directOf(channelId),
    PATIENCE_MS,
  )
  return {
    linear_channel_id: channelId,
    video_id: videoIds[0]!,
    series_id: series.series_id,
    playlist_id: playlist.playlist_id,
  }
}

/** From submitting a program to its start: the notice that the API requires. */
const AHEAD_MS = 100_000

/** Submits a program to an API process, and waits until a worker has planned it and every node has it; returns its start. */
export async function scheduleNext(
  { site, nodes }: { readonly site: Site; readonly nodes: readonly Running[] },
  caller: Caller,
  output: OutputRef,
  nowMs: number,
): Promise<number> {
  const startMs = Math.ceil(nowMs / 1_000) * 1_000 + AHEAD_MS
  const items = site.clips.map((_, clip) => ({ clip }))
  const plan = { channelId: output.channelId, startMs, durationMs: 60_000, items }
  await scheduleProgram({ ...site, ...caller }, plan, PATIENCE_MS)
  const title = bodyOf(site, plan).program_title
  const isListed = async () => {
    const guides = nodes.map(async ({ url }) => (await fetchAnswer(addressOf(url, output, 'epg.xml'))).text)
    return (await Promise.all(guides)).every((guide) => guide.includes(title)) || undefined
  }
  if (!(await pollUntil(isListed, PATIENCE_MS))) throw new Error(`"${title}" did not reach the guides`)
  return startMs
}

/** The processes that have no viewers. */
export interface Room {
  readonly api: Running
  readonly worker: Running
}

export async function startRoom(site: Site, release: Release): Promise<Room> {
  const [api, worker] = await Promise.all([site.startApi(release), site.startWorker(release)])
  return { api, worker }
}

export async function stopRoom({ api, worker }: Room): Promise<void> {
  await Promise.all([api.child.stop(), worker.child.stop()])
}

/** By the commands of the runbook. Returns how many of the missing migrations were listed, and then applied. */
export async function migrate(site: Site, missing: readonly string[]): Promise<number> {
  const [commands] = (await readChapter('Migrate', RUNBOOK)).blocks('sh')
  const { code, output } = await site.run(thisRelease, commands!)
  if (code !== 0) throw new Error(`migrating failed: ${output}`)
  const names = missing.map((file) => file.replace(/\.sql$/, ''))
  return names.filter((name) => output.split(name).length - 1 === 2 && output.includes(`applied ${name}`))
    .length
}
