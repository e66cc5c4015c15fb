import {
  alertsOf,
  SIGNAL_LOST,
  type SourceAlertCode,
  sourceAlertCodes,
} from '@continuity/core/live/source-alerts'
import type { SourceReport } from '@continuity/core/live/source-report'
import { platformActor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { closeAlert, openAlert, openAlertCodes } from '../alerts/index.ts'
import type { LiveSource } from './store.ts'

const messages: Readonly<Record<Exclude<SourceAlertCode, typeof SIGNAL_LOST>, (name: string) => string>> = {
  'live_source.black': (name) => `The picture of the live source ${name} has been black for over a minute.`,
  'live_source.frozen': (name) =>
    `Nothing has moved in the picture of the live source ${name} for over a minute.`,
  'live_source.silent': (name) => `The live source ${name} has been silent for over a minute.`,
}

/** Opens and closes alerts by the state of a source and the reports of receivers. Costs one statement if nothing changes. */
export async function keepSourceAlerts(
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

export async function openLostAlert(
  tx: Transaction,
  source: LiveSource,
  why: string,
  nowMs: number,
): Promise<void> {
  const message = `The live source ${source.name} has lost its signal. ${why}`
  const alert = { code: SIGNAL_LOST, ...subjectOf(source), severity: 'CRITICAL', message } as const
  await openAlert(tx, platformActor(source.accountId, nowMs), alert)
}

const subjectOf = ({ sourceId }: LiveSource) => ({ subjectType: 'live_source', subjectId: sourceId })
