import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figures, median, round, type Targets } from '@continuity/dev/figures'
import { createSessionIds } from '../../packages/server/src/platform/crypto/viewing-session-ids.ts'
import type { Bench, BenchContext } from '../bench.ts'
import { ratiosOf, runRounds } from '../engine/compare.ts'
import type { Load } from '../engine/load.ts'
import { startMeasuredServer } from '../engine/measured-server.ts'
import { openBenchHome } from '../playout/bench-home.ts'
import { planChannels } from '../playout/planned-channels.ts'
import { type CountingSizes, compareCounting } from './counting-cost.ts'
import { measureRollUp, type RollUpSizes } from './roll-up.ts'

const FULL: AudienceSizes = {
  sessions: 1_000_000,
  channels: 1_000,
  viewersOfEach: 20,
  hours: 6,
  rows: 2_500,
  batches: 20,
}

const targets: Targets = {
  session_rss_mb: { atMost: 400 },
  counting_ratio: { atLeast: 0.85 },
  report_ratio: { atLeast: 0.6 },
  roll_up_ratio_new: { atLeast: 0.4 },
  roll_up_ratio_conflicting: { atLeast: 0.22 },
}

export const audience: Bench = {
  name: 'audience',
  title: 'What counting viewers costs',
  question:
    '`session_rss_mb`: what a process grows by that holds a million viewing sessions on a thousand channels, each with two ' +
    'heartbeats. `counting_ratio`: media playlists per second of processor time of a node that counts its viewers, against ' +
    'one that does not, with the same requests. `report_ratio`: reports of players (CMCD events) per second of processor time of a ' +
    'node, all of which count, against bare node:http that reads the same bodies. `roll_up_ratio_new` and `_conflicting`: rows per second that batches add to the ' +
    'sums by hour and minute, against a bare COPY of the same rows into tables with the same keys, when all rows are new and when ' +
    'all are there. Rounds are interleaved, figures are medians.',
  run: async (context) => ({ figures: await measureAudience(FULL, context), targets }),
}

interface AudienceSizes extends CountingSizes, RollUpSizes {
  readonly sessions: number
}

export async function measureAudience(sizes: AudienceSizes, context: BenchContext): Promise<Figures> {
  context.log(`${sizes.sessions} sessions in memory`)
  const memory = await measureSessions(sizes.sessions)
  context.log('playlists with and without counting')
  const counting = await compareCounting(sizes, context)
  context.log('reports of players against bare node:http')
  const reports = await compareReports(sizes, context)
  context.log('roll-up against bare COPY')
  const rollUp = await measureRollUp(sizes, context)
  return { ...memory, ...counting, ...reports, ...rollUp }
}

const CHANNELS = 1_000

async function measureSessions(count: number): Promise<Figures> {
  const script = join(import.meta.dirname, 'hold-sessions.ts')
  const child = fork(script, [`${count}`, `${CHANNELS}`], { execArgv: ['--expose-gc'] })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the process of the bench ended')))
  failed.catch(() => {})
  const [figures] = (await Promise.race([once(child, 'message'), failed])) as [Figures]
  return figures
}

const KEY = 'bench'
const AT_ONCE = 100

/** Reports of players for each second of processor time of a node, against bare node:http that reads the same bodies. */
async function compareReports(sizes: CountingSizes, context: BenchContext): Promise<Figures> {
  await using home = await openBenchHome()
  const nowMs = Date.now()
  const channels = await planChannels(home.folder, sizes.channels, { nowMs, hours: sizes.hours })
  const ids = createSessionIds(KEY)
  const paths = channels.paths.slice(0, sizes.channels)
  const viewers = Array.from({ length: sizes.viewersOfEach }, () =>
    paths.map((path) => ({ path, sid: ids.mint(path.split('/').slice(2, 4).join('/'), nowMs) })),
  ).flat()
  const addresses = viewers.map(({ path, sid }) => `${path.slice(0, path.lastIndexOf('/'))}/cmcd?sid=${sid}`)
  const script = join(home.folder, 'reports.lua')
  await writeFile(script, printScript(addresses))
  const load: Load = { path: '/', script, warmUpSeconds: 1 }
  const settings = { VIEWING_KEY: KEY, AUDIENCE_REPORTS_PER_SECOND: '10000000' }
  await using node = await home.startNode(channels, sizes.channels, settings)
  const bareScript = join(import.meta.dirname, 'bare-reports.ts')
  await using bare = await startMeasuredServer(bareScript, join(home.folder, 'bare-reports.log'))
  for (let at = 0; at < viewers.length; at += AT_ONCE) {
    await Promise.all(
      viewers.slice(at, at + AT_ONCE).map(({ path, sid }) => watch(`${node.url}${path}?sid=${sid}`)),
    )
  }
  const rates = await runRounds({ bare: { server: bare, load }, ours: { server: node, load } }, context)
  const metrics = await (await fetch(`${node.url}/metrics`)).text()
  return {
    report_ratio: round(median(ratiosOf(rates.ours, rates.bare)), 3),
    reports_per_cpu_second: Math.round(median(rates.ours)),
    reports_per_cpu_second_bare: Math.round(median(rates.bare)),
    // All of them were counted, or nothing was measured.
    events_counted: Number(/^audience_events_total\{outcome="counted"\} (\d+)/m.exec(metrics)?.[1]),
  }
}

/** Events count only for sessions that have requested a playlist. */
async function watch(address: string): Promise<void> {
  const answer = await fetch(address)
  if (answer.status !== 200) throw new Error(`${address} was answered with ${answer.status}`)
  await answer.arrayBuffer()
}

/** As hls.js reports a change of state. Playing and paused alternate, without sequence numbers: all of them count. */
const printScript = (addresses: readonly string[]): string => `local addresses = {
${addresses.map((address) => `  "${address}",`).join('\n')}
}
local headers = { ["Content-Type"] = "application/cmcd" }
local requests = {}
local at = 0

function init()
  for i, address in ipairs(addresses) do
    local state = i % 2 == 0 and "p" or "a"
    local body = 'bl=(9600),cid="north-one",e=ps,mtp=(12000),sid="6e2fb550-c457-11e9-bb97-0800200c9a66",sta=' .. state .. ',ts=1772388000123,v=2'
    requests[i] = wrk.format("POST", address, headers, body)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
`
