import { isHeld, LEASE_MS } from '@continuity/core/live/lease'
import { configOf, type SourceConfig } from '@continuity/core/live/source-config'
import { changeOf, type SourceReport } from '@continuity/core/live/source-report'
import { nextState, receptionOf, statusOf } from '@continuity/core/live/source-state'
import type { Media } from '@continuity/core/timeline/media'
import type { Bus } from '../../platform/bus.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { enqueue } from '../../platform/jobs/all-jobs.ts'
import {
  configSubject,
  LIVE_STREAM,
  type LiveInput,
  leaseSubject,
  reportSubject,
} from '../../platform/live-bus/live-streams.ts'
import { publishAfter, readLast } from '../../platform/live-bus/publish-after.ts'
import { lockFormat } from '../accounts/index.ts'
import { recordSourceState } from './record-write.ts'
import { keepSourceAlerts, openLostAlert } from './source-alerts.ts'
import { type LiveSource, lockSourceForReceivers, updateState } from './store.ts'

/** While a source is on its way, and when the bus cannot be reached. */
const SOON_MS = 1_000
/** Reports bring a source forward; this finds what no report says, such as that all receivers are gone. */
const SELDOM_MS = 30_000

export interface SyncDeps {
  readonly bus: Bus
  readonly readBrokerMs: () => Promise<number>
  /** A video in segments of a slot, where it is packaged so. */
  readonly findInSlots: (db: Db, accountId: string, videoId: string) => Promise<Media | undefined>
}

export interface SourceId {
  readonly accountId: string
  readonly sourceId: string
}

/** A worker looks at the source at once. */
export const syncSoon = (tx: Transaction, { accountId, sourceId }: SourceId, nowMs: number): Promise<void> =>
  setDue(tx, { kind: 'live_source', subjectId: sourceId, accountId, dueMs: nowMs })

/**
 * Brings receivers and the record of a source together: publishes what is wanted of it, and otherwise takes over what
 * receivers report. Only what is committed is published, so a state that changes here reaches receivers with the next look.
 */
export async function syncSource(
  tx: Transaction,
  deps: SyncDeps,
  { accountId, sourceId }: SourceId,
  nowMs: number,
): Promise<void> {
  const lookAgain = (inMs: number) =>
    setDue(tx, { kind: 'live_source', subjectId: sourceId, accountId, dueMs: nowMs + inMs })
  // Before anything is locked: it may take as long as the bus does.
  const found = await readBus(deps, sourceId).catch(() => undefined)
  if (found === undefined) return lookAgain(SOON_MS)
  const source = await lockSourceForReceivers(tx, accountId, sourceId)
  if (source === undefined) return
  const config = await wantedConfig(tx, deps, source, found, nowMs)
  if (config !== undefined && JSON.stringify(config) !== found.config?.text) {
    await setDue(tx, { kind: 'live_log', subjectId: sourceId, accountId, dueMs: nowMs })
    return lookAgain((await publishConfig(deps.bus, config, found)) ? 0 : SOON_MS)
  }
  const reports = found.reports.slice(0, config?.urls.length ?? 1)
  if (await followReports(tx, source, reports, found.unheldMs, nowMs)) return lookAgain(0)
  await keepSourceAlerts(tx, source, reports, nowMs)
  if (statusOf(source.state) === 'PROCESSING') return lookAgain(SOON_MS)
  if (config !== undefined && config.reception !== 'none') return lookAgain(SELDOM_MS)
}

interface FoundOnBus {
  readonly config: { readonly text: string; readonly sequence: number } | undefined
  readonly reports: readonly (SourceReport | undefined)[]
  readonly unheldMs: number
}

async function readBus({ bus, readBrokerMs }: SyncDeps, sourceId: string): Promise<FoundOnBus> {
  const inputs: readonly LiveInput[] = [
    { sourceId, input: 0 },
    { sourceId, input: 1 },
  ]
  const readAll = (subjects: readonly string[]) =>
    Promise.all(subjects.map((subject) => readLast(bus, LIVE_STREAM, subject)))
  const [[config = null], reports, leases] = await Promise.all([
    readAll([configSubject(sourceId)]),
    readAll(inputs.map(reportSubject)),
    readAll(inputs.map(leaseSubject)),
  ])
  const held = leases
    .filter((lease) => lease !== null && isHeld(lease.json()))
    .map((lease) => lease!.time.getTime())
  // Where all leases were lost with the store, receivers have had no time before the source was published again.
  const publishedMs = config?.time.getTime() ?? Number.NEGATIVE_INFINITY
  const heldUntilMs = Math.max(publishedMs, ...held.map((storedMs) => storedMs + LEASE_MS))
  const unheldMs = (await readBrokerMs()) - heldUntilMs
  return {
    config: config === null ? undefined : { text: config.string(), sequence: config.seq },
    reports: reports.map((report) => report?.json<SourceReport>()),
    unheldMs: Math.max(0, unheldMs),
  }
}

/** Undefined for a source of which receivers know nothing, and need not. */
async function wantedConfig(
  tx: Transaction,
  { findInSlots }: SyncDeps,
  source: LiveSource,
  { config }: FoundOnBus,
  nowMs: number,
): Promise<SourceConfig | undefined> {
  const reception = receptionOf(source.state, source.alwaysKeepReceiverActive)
  if (reception !== 'none') {
    const { accountId, adSlateVideoId } = source
    const slate = adSlateVideoId === null ? undefined : await findInSlots(tx, accountId, adSlateVideoId)
    return configOf(source, await lockFormat(tx, accountId, nowMs), slate ?? null)
  }
  if (config === undefined) return undefined
  const before = JSON.parse(config.text) as SourceConfig
  return { ...before, generation: source.generation, reception }
}

/** False where another worker was faster, or the bus does not answer. */
async function publishConfig(bus: Bus, config: SourceConfig, found: FoundOnBus): Promise<boolean> {
  const last = found.config?.sequence ?? 0
  return publishAfter(bus, configSubject(config.sourceId), JSON.stringify(config), last).then(
    (sequence) => sequence !== undefined,
    () => false,
  )
}

/** Whether it is in another state now. */
async function followReports(
  tx: Transaction,
  source: LiveSource,
  reports: FoundOnBus['reports'],
  unheldMs: number,
  nowMs: number,
): Promise<boolean> {
  const { state, stateMs: sinceMs, generation } = source
  const change = changeOf({ state, sinceMs, generation, reports, unheldMs, nowMs })
  if (change === undefined) return false
  const { trigger, reason } = change
  const next = nextState(state, trigger)
  if (next === state) return false
  const detail = reason === undefined ? null : { code: reason.code, message: reason.message, atMs: nowMs }
  const after = await updateState(tx, source, { state: next, detail }, { nowMs, userId: null })
  await recordSourceState(tx, { accountId: source.accountId, userId: null, requestId: null, nowMs }, after)
  if (source.enableAutoLiveSwitchOnSignal && source.autoSwitchChannelIds.length > 0) {
    const signal = next === 'ACTIVE' ? 'on' : state === 'ACTIVE' ? 'off' : undefined
    if (signal !== undefined) {
      const data = { live_source_id: source.sourceId, signal } as const
      await enqueue(tx, 'auto_switch', data, { accountId: source.accountId, requestId: undefined })
    }
  }
  if (trigger === 'signal_lost') await openLostAlert(tx, source, reason?.message ?? '', nowMs)
  return true
}
