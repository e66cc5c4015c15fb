import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PlanAgain, PlanAgainInput } from '@continuity/core/rules/plan-again'
import type { CatalogSnapshot } from '@continuity/core/rules/plan-input'
import type { Db } from '../../platform/database/database.ts'
import { type CatalogPage, readCatalogPages, readNamed } from './read-catalog.ts'

export type PlanRequest = Omit<PlanAgainInput, 'catalog'>

export type PlannerMessage =
  | { readonly kind: 'clear' }
  | ({ readonly kind: 'page' } & CatalogPage)
  | ({ readonly kind: 'plan'; readonly request: PlanRequest } & Pick<CatalogSnapshot, 'series' | 'playlists'>)

export type PlannerResult = { readonly plan: PlanAgain } | { readonly fault: string }

export interface Planner {
  /**
   * Plans by the catalog of an account: as it is now, or as it was up to 20 s ago. One plan at a time; others wait.
   */
  plan(
    db: Db,
    accountId: string,
    request: PlanRequest,
    options?: { readonly isFresh?: boolean },
  ): Promise<PlanAgain>
  /** How many are running or waiting, of all accounts or of one. */
  waiting(accountId?: string): number
  close(): Promise<void>
}

/** Many channels of an account are often planned one after the other; what changed since is found at the next plan. */
const CATALOG_MS = 20_000

/** Catalogs of 100,000 videos take over 100 MB, which an idle process gives back. */
const IDLE_MS = 60_000

/**
 * Plans on another thread, because a month from a large catalog takes a second or more, in which nothing else would be
 * done. The thread is started with the first plan, and again after it has crashed.
 */
export function createPlanner({ catalogMs = CATALOG_MS, idleMs = IDLE_MS } = {}): Planner {
  let worker: Worker | undefined
  let loaded: { readonly accountId: string; readonly atMs: number } | undefined // the catalog of the thread
  let last: Promise<unknown> = Promise.resolve() // of the queue
  const waiting: string[] = [] // the account of each
  let idle: NodeJS.Timeout | undefined

  const start = () => {
    const started = new Worker(new URL('planner-thread.ts', import.meta.url))
    started.unref()
    // Also where nothing is being planned.
    started.on('error', () => {})
    started.once('exit', () => {
      if (worker !== started) return
      worker = undefined
      loaded = undefined
    })
    return started
  }
  const end = async () => {
    const ended = worker
    worker = undefined
    loaded = undefined
    await ended?.terminate()
  }
  /** The thread with the catalog of an account. One that ended meanwhile would have a part of it only. */
  const load = async (db: Db, accountId: string, isFresh: boolean): Promise<Worker> => {
    worker ??= start()
    const thread = worker
    const isKnown = loaded?.accountId === accountId && performance.now() - loaded.atMs < catalogMs
    if (isKnown && !isFresh) return thread
    loaded = undefined
    const post = (message: PlannerMessage) => thread.postMessage(message)
    post({ kind: 'clear' })
    const atMs = performance.now()
    for await (const page of readCatalogPages(db, accountId)) post({ kind: 'page', ...page })
    if (worker !== thread) throw new Error('the thread of the planner ended')
    loaded = { accountId, atMs }
    return thread
  }

  const run = async (
    db: Db,
    accountId: string,
    request: PlanRequest,
    isFresh: boolean,
  ): Promise<PlanAgain> => {
    const named = await readNamed(db, accountId, request.rules)
    const thread = await load(db, accountId, isFresh)
    const over = new AbortController()
    try {
      const exited = once(thread, 'exit', { signal: over.signal }).then(() => ({
        fault: 'the thread of the planner ended',
      }))
      const answered = once(thread, 'message', { signal: over.signal }).then(
        ([result]) => result as PlannerResult,
      )
      exited.catch(() => {})
      thread.postMessage({ kind: 'plan', request, ...named } satisfies PlannerMessage)
      const result = await Promise.race([answered, exited])
      if ('fault' in result) throw new Error(`the planner failed: ${result.fault}`)
      return result.plan
    } finally {
      over.abort()
    }
  }

  return {
    waiting: (accountId) =>
      accountId === undefined ? waiting.length : waiting.filter((id) => id === accountId).length,
    plan: (db, accountId, request, { isFresh = false } = {}) => {
      waiting.push(accountId)
      clearTimeout(idle)
      const planned = last.then(() => run(db, accountId, request, isFresh))
      last = planned
        .catch(() => {})
        .finally(() => {
          waiting.splice(waiting.indexOf(accountId), 1)
          if (waiting.length === 0) idle = setTimeout(() => void end(), idleMs).unref()
        })
      return planned
    },
    async close() {
      await last
      clearTimeout(idle)
      await end()
    },
  }
}
