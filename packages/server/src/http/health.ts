import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../platform/metrics.ts'

/** Something that the process leans on. */
export interface Dependency {
  readonly name: string
  /** Without it the process cannot serve, and says so. */
  readonly isRequired: boolean
  /** Rejects when it does not answer. */
  ping(): Promise<void>
}

export const healthAddresses = ['/livez', '/readyz', '/metrics'] as const

export interface Health {
  isDraining(): boolean
  /** From now on `/readyz` answers 503, so that traffic goes elsewhere. */
  drain(): void
  isReady(): Promise<boolean>
}

interface Readiness {
  readonly isReady: boolean
  readonly checks: Record<string, { ok: boolean; required: boolean; ms: number; error?: string }>
}

/** Probes of many balancers share one look at the dependencies. */
const CACHE_MS = 500

/** Longer than the two seconds that the pings allow themselves, so that their own words are told where they have any. */
const PING_MS = 3_000

/**
 * `/livez` says that the process turns, and asks nobody: a dependency that is
 * gone is no reason to restart us. `/readyz` says whether to send requests here.
 */
export function serveHealth(
  server: FastifyInstance,
  dependencies: readonly Dependency[],
  metrics: Metrics,
  /** What else `/readyz` tells of the process. */
  figures?: () => object,
): Health {
  let isDraining = false
  let looked: { readonly atMs: number; readonly result: Promise<Readiness> } | undefined

  const look = (): Promise<Readiness> => {
    const nowMs = performance.now()
    if (looked === undefined || nowMs - looked.atMs > CACHE_MS)
      looked = { atMs: nowMs, result: check(dependencies) }
    return looked.result
  }

  server.get('/livez', (_request, reply) => reply.send({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    if (isDraining) return reply.code(503).send({ status: 'draining', checks: {} })
    const { isReady, checks } = await look()
    const told = figures === undefined ? {} : { figures: figures() }
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not_ready', checks, ...told })
  })
  server.get('/metrics', (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics.print()),
  )
  return {
    isDraining: () => isDraining,
    drain() {
      isDraining = true
    },
    isReady: async () => !isDraining && (await look()).isReady,
  }
}

async function check(dependencies: readonly Dependency[]): Promise<Readiness> {
  const results = await Promise.all(
    dependencies.map(async ({ name, isRequired, ping }) => {
      const startMs = performance.now()
      const error = await errorOf(ping)
      const ms = Math.round(performance.now() - startMs)
      const entry = {
        ok: error === undefined,
        required: isRequired,
        ms,
        ...(error === undefined ? {} : { error }),
      }
      return [name, entry] as const
    }),
  )
  return {
    isReady: results.every(([, { ok, required }]) => ok || !required),
    checks: Object.fromEntries(results),
  }
}

async function errorOf(ping: Dependency['ping']): Promise<string | undefined> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${PING_MS} ms`)), PING_MS)
  try {
    await Promise.race([ping(), late.promise])
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    clearTimeout(timer)
  }
}
