import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../platform/metrics/metrics.ts'

/** A server or component that the process depends on. */
export interface Dependency {
  readonly name: string
  /** Without it the process is not ready. */
  readonly isRequired: boolean
  /** Rejects when it does not answer. */
  ping(): Promise<void>
}

export const healthAddresses = ['/livez', '/readyz', '/metrics'] as const

export interface Health {
  isDraining(): boolean
  /** From now on `/readyz` answers 503, so that traffic goes to other processes. */
  drain(): void
  isReady(): Promise<boolean>
}

interface Readiness {
  readonly isReady: boolean
  readonly checks: Record<string, { ok: boolean; required: boolean; ms: number; error?: string }>
}

/** Probes of many load balancers share one check of the dependencies. */
const CACHE_MS = 500

/** Longer than the 2 s timeout of the pings, so that usually their own error is reported. */
const PING_MS = 3_000

/**
 * `/livez` states that the process runs, without checking dependencies: a missing one is no reason for a restart.
 * `/readyz` states whether it can serve requests.
 */
export function serveHealth(
  server: FastifyInstance,
  dependencies: readonly Dependency[],
  metrics: Metrics,
  /** Further values of `/readyz`. */
  figures?: () => object,
): Health {
  let isDraining = false
  let checked: { readonly atMs: number; readonly result: Promise<Readiness> } | undefined

  const checkCached = (): Promise<Readiness> => {
    const nowMs = performance.now()
    if (checked === undefined || nowMs - checked.atMs > CACHE_MS)
      checked = { atMs: nowMs, result: check(dependencies) }
    return checked.result
  }

  server.get('/livez', (_request, reply) => reply.send({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    if (isDraining) return reply.code(503).send({ status: 'draining', checks: {} })
    const { isReady, checks } = await checkCached()
    const extra = figures === undefined ? {} : { figures: figures() }
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not_ready', checks, ...extra })
  })
  server.get('/metrics', (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics.print()),
  )
  return {
    isDraining: () => isDraining,
    drain() {
      isDraining = true
    },
    isReady: async () => !isDraining && (await checkCached()).isReady,
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
