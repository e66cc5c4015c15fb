import type { Handlers } from '../http/bind.ts'
import { isDefaultSlate } from '../modules/accounts/read.ts'
import { accountRoutes } from '../modules/accounts/routes.ts'
import { type AlertMailDeps, alertMailRoutes } from '../modules/alert-mails/routes.ts'
import { alertRoutes } from '../modules/alerts/routes.ts'
import { applyCuePoints, closeNotPackaged } from '../modules/assets/index.ts'
import { type AudienceDeps, audienceRoutes } from '../modules/audience/routes.ts'
import { auditRoutes } from '../modules/audit/routes.ts'
import { type AuthDeps, authRoutes } from '../modules/auth/routes.ts'
import { type BreakDeps, breakRoutes } from '../modules/breaks/routes.ts'
import { namedMedia } from '../modules/catalog/index.ts'
import { type CatalogDeps, catalogRoutes } from '../modules/catalog/routes.ts'
import { findChannel, isReferenced, listShowing } from '../modules/channels/index.ts'
import { channelRoutes } from '../modules/channels/routes.ts'
import { type EventDeps, eventRoutes } from '../modules/events/routes.ts'
import { ingestRoutes } from '../modules/ingest/routes.ts'
import { isAdSlate, type NamedRecords } from '../modules/live/index.ts'
import { type LiveDeps, liveRoutes } from '../modules/live/routes.ts'
import { overrideRoutes } from '../modules/overrides/routes.ts'
import { type PlanDeps, planRoutes } from '../modules/plans/routes.ts'
import { type ProgramDeps, programRoutes } from '../modules/programs/routes.ts'
import { type ReportDeps, reportRoutes } from '../modules/reports/routes.ts'
import { isVideoCommitted, noteVideoDeleted, publishChange } from '../modules/schedule/index.ts'
import { type ScheduleRouteDeps, scheduleRoutes } from '../modules/schedule/routes.ts'
import { type WebhookDeps, webhookRoutes } from '../modules/webhooks/routes.ts'

/** The dependencies of all modules, except those on each other. */
export type HandlerDeps = AuthDeps &
  Omit<CatalogDeps, 'isReferenced' | 'noteVideoDeleted' | 'applyCuePoints'> &
  Omit<LiveDeps, 'namedRecords'> &
  ScheduleRouteDeps &
  BreakDeps &
  EventDeps &
  PlanDeps &
  ProgramDeps &
  ReportDeps &
  AudienceDeps &
  WebhookDeps &
  AlertMailDeps

/**
 * By a channel, by the account for channels that have no slates of their own, by a live source for its ad breaks, or by a
 * program of the next 25 hours.
 */
const isReferencedAnywhere: CatalogDeps['isReferenced'] = async (tx, { accountId, nowMs }, what) =>
  (await isReferenced(tx, accountId, what)) ||
  ('videoId' in what &&
    ((await isDefaultSlate(tx, accountId, what.videoId)) ||
      (await isAdSlate(tx, accountId, what.videoId)) ||
      (await isVideoCommitted(tx, accountId, what.videoId, nowMs))))

const noteDeleted: NonNullable<CatalogDeps['noteVideoDeleted']> = async (tx, actor, videoId) => {
  await noteVideoDeleted(tx, actor, videoId)
  await closeNotPackaged(tx, actor, videoId)
}

const namedRecords: NamedRecords = {
  hasVideo: namedMedia.hasVideo,
  hasChannel: async (tx, accountId, channelId) => (await findChannel(tx, accountId, channelId)) !== undefined,
  listShowing,
}

/** The handlers of all modules. An operation without one answers 501. */
export function buildHandlers(deps: HandlerDeps): Handlers {
  return {
    ...accountRoutes(deps),
    ...alertRoutes(deps),
    ...audienceRoutes(deps),
    ...auditRoutes(deps),
    ...authRoutes(deps),
    ...catalogRoutes({
      ...deps,
      isReferenced: isReferencedAnywhere,
      noteVideoDeleted: noteDeleted,
      applyCuePoints,
    }),
    ...channelRoutes({ ...deps, namedMedia, publishChange }),
    ...eventRoutes(deps),
    ...ingestRoutes(deps),
    ...liveRoutes({ ...deps, namedRecords }),
    ...overrideRoutes(deps),
    ...breakRoutes(deps),
    ...planRoutes(deps),
    ...programRoutes(deps),
    ...reportRoutes(deps),
    ...scheduleRoutes(deps),
    ...webhookRoutes(deps),
    ...alertMailRoutes(deps),
  }
}
