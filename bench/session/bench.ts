import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { compareServers } from '../engine/compare.ts'
import { path } from '../http/answer.ts'
import { printLoadScript } from './load-script.ts'
import { benchSessions } from './sessions.ts'

const scripts = {
  bare: join(import.meta.dirname, '../http/bare-server.ts'),
  ours: join(import.meta.dirname, 'our-server.ts'),
}

export const session: Bench = {
  name: 'session',
  title: 'A request with a credential through the whole stack against bare Fastify',
  limits: {
    ratio:
      'hashing each credential to find it among those already checked takes 6 % of the time of the server, and would be ' +
      'the difference. It stays, so that a copy of the memory has no credential that could be used. The target remains',
  },
  question:
    'As the bench of the stack, with a credential: requests of 1,000 sessions round-robin, each with its token and device, ' +
    'to an operation that needs a role and queries no database. Against bare Fastify that is sent the same requests, ' +
    'answers the same bytes and checks nothing.',
  async run(context) {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    const script = join(folder, 'load.lua')
    await writeFile(script, printLoadScript(benchSessions(Date.now()), [path]))
    return {
      figures: await compareServers(scripts, { path, script }, context),
      targets: { ratio: { atLeast: 0.6 } },
    }
  },
}
