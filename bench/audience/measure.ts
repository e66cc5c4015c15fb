import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Figures } from '@continuity/dev/figures'
import type { BenchContext } from '../bench.ts'
import { type CountingSizes, compareCounting } from './counting-cost.ts'
import { compareReports } from './report-cost.ts'
import { measureRollUp, type RollUpSizes } from './roll-up.ts'

export interface AudienceSizes extends CountingSizes, RollUpSizes {
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
