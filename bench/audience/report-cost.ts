import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figures, median, round } from '@continuity/dev/figures'
import { createSessionIds } from '../../packages/server/src/platform/crypto/viewing-session-ids.ts'
import type { BenchContext } from '../bench.ts'
import { ratiosOf, runRounds } from '../engine/compare.ts'
import type { Load } from '../engine/load.ts'
import { startMeasuredServer } from '../engine/measured-server.ts'
import { openBenchHome } from '../playout/bench-home.ts'
import { planChannels } from '../playout/planned-channels.ts'
import type { CountingSizes } from './counting-cost.ts'

const KEY = 'bench'
const AT_ONCE = 100

/** Reports of players for each second of processor time of a node, against bare node:http that reads the same bodies. */
export async function compareReports(sizes: CountingSizes, context: BenchContext): Promise<Figures> {
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
