import { setTimeout } from 'node:timers/promises'
import { proof } from '../proofs/proof.ts'
import { startBrokenSources } from './broken-sources.ts'
import { childrenOf, startLiveSystem } from './live-system.ts'

/** Validation takes 30 s at most; a worker reads the reports of receivers once a second. */
const LIMIT_MS = 30_000 + 2_000

/** Longer than any of them takes on a busy machine. */
const PATIENCE_MS = 180_000

export const brokenSources = proof<{ readonly allowance: number }>({
  name: 'broken-sources',
  title: 'Broken live sources report their faults',
  promise:
    'Sources with every known kind of fault are activated at once, on one receiver. Each is in ERROR within 30 s of its ' +
    'activation, with the code of its own fault and a message; none gets on the air, the receiver keeps running, and nothing ' +
    'that it started is left. In the small run, which shares its machine, five times what the quickest took is added.',
  watches: [
    'packages/core/src/live',
    'packages/server/src/modules/live',
    'packages/server/src/modules/receiver',
    'packages/server/src/platform/outbound',
    'e2e/live/broken-sources-proof.ts',
  ],
  sabotage: {
    title: 'recordings are taken for live',
    changes: [
      {
        file: 'packages/server/src/modules/receiver/track-reader.ts',
        from: 'if (playlist.isEnded) retry',
        to: 'if (playlist.isEnded && performance.now() < 0) retry',
      },
    ],
    missed: ['sources_with_another_code'],
  },
  sizes: { small: { allowance: 5 }, full: { allowance: 0 } },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const { sources, hosts } = await startBrokenSources(opened)
    const system = await startLiveSystem(opened, { allow: hosts })
    const receiver = await system.startReceiver('one')
    const ids = new Map<string, string>()
    for (const { name, url } of sources) ids.set(name, await system.createSource(name, url))

    const ended = await Promise.all(
      sources.map(async ({ name, code }, at) => {
        // One after another: concurrent calls are tested elsewhere.
        await setTimeout(at * 100)
        await system.activate(ids.get(name)!)
        const startedMs = performance.now()
        const source = await system.untilStatus(ids.get(name)!, 'ERROR', PATIENCE_MS)
        const tookMs = Math.round(performance.now() - startedMs)
        const found = source.status === 'ERROR' ? (source.status_detail?.code ?? 'none') : source.status
        log(`${name}: ${found} after ${tookMs} ms${found === code ? '' : `, and not ${code}`}`)
        return {
          name,
          code,
          found,
          tookMs,
          status: source.status,
          message: source.status_detail?.message ?? '',
        }
      }),
    )
    const quickestMs = Math.min(...ended.map(({ tookMs }) => tookMs))
    let logged = 0
    for (const id of ids.values()) logged += (await system.readLog(id)).length
    for (const id of ids.values()) await system.deactivate(id)
    const idle = await Promise.all([...ids.values()].map((id) => system.untilStatus(id, 'IDLE', PATIENCE_MS)))
    // A probe that still ran ends with its signal.
    await setTimeout(500)
    return {
      figures: {
        sources: sources.length,
        faults_of_its_own: new Set(sources.map(({ code }) => code)).size,
        sources_in_error: ended.filter(({ status }) => status === 'ERROR').length,
        quickest_error_ms: quickestMs,
        slowest_error_ms: Math.max(...ended.map(({ tookMs }) => tookMs)),
        sources_with_another_code: ended.filter(({ found, code }) => found !== code).length,
        sources_without_a_message: ended.filter(({ message }) => message === '').length,
        slots_of_broken_sources: logged,
        idle_in_the_end: idle.filter(({ status }) => status === 'IDLE').length,
        receivers_alive: receiver.isRunning() ? 1 : 0,
        processes_left: (await childrenOf(receiver.pid)).length,
      },
      targets: {
        sources: { atLeast: 24 },
        faults_of_its_own: { atLeast: 14 },
        sources_in_error: { is: sources.length },
        slowest_error_ms: { atMost: LIMIT_MS + size.allowance * quickestMs },
        sources_with_another_code: { is: 0 },
        sources_without_a_message: { is: 0 },
        slots_of_broken_sources: { is: 0 },
        idle_in_the_end: { is: sources.length },
        receivers_alive: { is: 1 },
        processes_left: { is: 0 },
      },
    }
  },
})
