import { isHeld, LEASE_MS } from '@continuity/core/live/lease'
import {
  alertsOf,
  SIGNAL_LOST,
  type SourceAlertCode,
  sourceAlertCodes,
} from '@continuity/core/live/source-alerts'
import { configOf, type SourceConfig } from '@continuity/core/live/source-config'
import { changeOf, type SourceReport } from '@continuity/core/live/source-report'
import { nextState, receptionOf, statusOf } from '@continuity/core/live/source-state'
import { platformActor } from '../../platform/actor.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Transaction } from '../../platform/database/database.ts'
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
import { closeAlert, openAlert, openAlertCodes } from '../alerts/index.ts'
import { findSlotMedia } from '../assets/read.ts'
import { recordSourceState } from './record-write.ts'
import { type LiveSource, lockSourceForReceivers, updateState } from './store.ts'

/** Interval while a source is PROCESSING, and when the bus is unreachable. */
const SOON_MS = 1_000
/** Reports make a source due; this interval detects what is not reported, such as that all receivers are gone. */
const SELDOM_MS = 30_000

export interface SyncDeps {
  readonly bus: Bus
  readonly readBrokerMs: () => Promise<number>
}

export interface SourceId {
  readonly accountId: string
  readonly sourceId: string
}

/** Makes the source due now. */
export const syncSoon = (tx: Transaction, { accountId, sourceId }: SourceId, nowMs: number): Promise<void> =>
  setDue(tx, { kind: 'live_source', subjectId: sourceId, accountId, dueMs: nowMs })

/**
 * Reconciles receivers with the record of a source: publishes a changed config, or else applies the reports of
 * receivers. Only committed state is published, so a state that changes here is published by the next run.
 */
export async function syncSource(
  tx: Transaction,
  deps: SyncDeps,
  { accountId, sourceId }: SourceId,
  nowMs: number,
): Promise<void> {
  const runAgain = (inMs: number) =>
    setDue(tx, { kind: 'live_source', subjectId: sourceId, accountId, dueMs: nowMs + inMs })
  // Read before taking locks: the bus may be slow.
  const found = await readBus(deps, sourceId).catch(() => undefined)
  if (found === undefined) return runAgain(SOON_MS)
  const source = await lockSourceForReceivers(tx, accountId, sourceId)
  if (source === undefined) return
  const config = await wantedConfig(tx, source, found, nowMs)
  if (config !== undefined && JSON.stringify(config) !== found.config?.text) {
    await setDue(tx, { kind: 'live_log', subjectId: sourceId, accountId, dueMs: nowMs })
    return runAgain((await publishConfig(deps.bus, config, found)) ? 0 : SOON_MS)
  }
  const reports = found.reports.slice(0, config?.urls.length ?? 1)
  if (await applyReports(tx, source, reports, found.unleasedMs, nowMs)) return runAgain(0)
  await keepSourceAlerts(tx, source, reports, nowMs)
  if (statusOf(source.state) === 'PROCESSING') return runAgain(SOON_MS)
  if (config !== undefined && config.reception !== 'none') return runAgain(SELDOM_MS)
}

interface FoundOnBus {
  readonly config: { readonly text: string; readonly sequence: number } | undefined
  readonly reports: readonly (SourceReport | undefined)[]
  readonly unleasedMs: number
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
  // If all leases were lost with the store, receivers could take one only after the config was published again.
  const publishedMs = config?.time.getTime() ?? Number.NEGATIVE_INFINITY
  const heldUntilMs = Math.max(publishedMs, ...held.map((storedMs) => storedMs + LEASE_MS))
  const unleasedMs = (await readBrokerMs()) - heldUntilMs
  return {
    config: config === null ? undefined : { text: config.string(), sequence: config.seq },
    reports: reports.map((report) => report?.json<SourceReport>()),
    unleasedMs: Math.max(0, unleasedMs),
  }
}

/** Undefined for a source that is not received and has no config on the bus. */
async function wantedConfig(
  tx: Transaction,
  source: LiveSource,
  { config }: FoundOnBus,
  nowMs: number,
): Promise<SourceConfig | undefined> {
  const reception = receptionOf(source.state, source.alwaysKeepReceiverActive)
  if (reception !== 'none') {
    const { accountId, adSlateVideoId } = source
    const slate = adSlateVideoId === null ? undefined : await findSlotMedia(tx, accountId, adSlateVideoId)
    return configOf(source, await lockFormat(tx, accountId, nowMs), slate ?? null)
  }
  if (config === undefined) return undefined
  const before = JSON.parse(config.text) as SourceConfig
  return { ...before, generation: source.generation, reception }
}

/** False if another worker published first, or the bus does not answer. */
async function publishConfig(bus: Bus, config: SourceConfig, found: FoundOnBus): Promise<boolean> {
  const last = found.config?.sequence ?? 0
  return publishAfter(bus, configSubject(config.sourceId), JSON.stringify(config), last).then(
    (sequence) => sequence !== undefined,
    () => false,
  )
}

/** Returns whether the state changed. */
async function applyReports(
  tx: Transaction,
  source: LiveSource,
  reports: FoundOnBus['reports'],
  unleasedMs: number,
  nowMs: number,
): Promise<boolean> {
  const { state, stateMs: sinceMs, generation } = source
  const change = changeOf({ state, sinceMs, generation, reports, unleasedMs, nowMs })
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

const messages: Readonly<Record<Exclude<SourceAlertCode, typeof SIGNAL_LOST>, (name: string) => string>> = {
  'live_source.black': (name) => `The picture of the live source ${name} has been black for over a minute.`,
  'live_source.frozen': (name) =>
    `Nothing has moved in the picture of the live source ${name} for over a minute.`,
  'live_source.silent': (name) => `The live source ${name} has been silent for over a minute.`,
}

/** Opens and closes alerts by the state of a source and the reports of receivers. Costs one statement if nothing changes. */
async function keepSourceAlerts(
  tx: Transaction,
  source: LiveSource,
  reports: readonly (SourceReport | undefined)[],
  nowMs: number,
): Promise<void> {
  const { accountId, name } = source
  const actor = platformActor(accountId, nowMs)
  const wanted = alertsOf({ ...source, reports })
  const open = await openAlertCodes(tx, accountId, sourceAlertCodes, subjectOf(source))
  for (const code of sourceAlertCodes) {
    const isOpen = open.includes(code)
    if (isOpen && wanted[code] === false) await closeAlert(tx, actor, { code, ...subjectOf(source) })
    if (isOpen || wanted[code] !== true || code === SIGNAL_LOST) continue
    const message = messages[code](name)
    await openAlert(tx, actor, { code, ...subjectOf(source), severity: 'WARNING', message })
  }
}

async function openLostAlert(tx: Transaction, source: LiveSource, why: string, nowMs: number): Promise<void> {
  const message = `The live source ${source.name} has lost its signal. ${why}`
  const alert = { code: SIGNAL_LOST, ...subjectOf(source), severity: 'CRITICAL', message } as const
  await openAlert(tx, platformActor(source.accountId, nowMs), alert)
}

const subjectOf = ({ sourceId }: LiveSource) => ({ subjectType: 'live_source', subjectId: sourceId })
