import type { AnswerOf, Operations } from '@continuity/contract'

export type Channel = AnswerOf<Operations['listLinearChannels']>[number]
export type LiveSource = AnswerOf<Operations['listLiveSources']>['hits'][number]
export type SourceHealth = AnswerOf<Operations['getLiveSourceHealth']>
export type Alert = AnswerOf<Operations['listAlerts']>['hits'][number]
export type Program = AnswerOf<Operations['listPrograms']>['hits'][number]
export type OnAirNow = AnswerOf<Operations['readOnAirNow']>
export type AudienceNow = AnswerOf<Operations['readAudienceNow']>
export type User = AnswerOf<Operations['listUsers']>['hits'][number]
export type UserRole = User['roles'][number]
export type AppKey = AnswerOf<Operations['listAppKeys']>['hits'][number]
export type Output = AnswerOf<Operations['listOutputs']>[number]
export type Webhook = AnswerOf<Operations['listWebhooks']>['hits'][number]
export type Delivery = AnswerOf<Operations['listWebhookDeliveries']>['hits'][number]
export type AuditEntry = AnswerOf<Operations['listAudit']>['hits'][number]
export type Video = AnswerOf<Operations['getVideo']>
export type Series = AnswerOf<Operations['getSeries']>
export type Playlist = AnswerOf<Operations['getPlaylist']>
export type IngestStatus = AnswerOf<Operations['getScheduleRequest']>

/** An ingest request, as its newest event reported it. */
export interface SeenRequest
  extends Pick<IngestStatus, 'request_id' | 'linear_channel_id' | 'program_title' | 'state' | 'reason'> {
  /** When it was accepted. */
  readonly since: string
}

/** A switch that was committed, as every operator sees it count down. */
export interface PendingSwitch {
  readonly kind: 'live' | 'slate' | 'return'
  readonly liveSourceId: string | null
  readonly onAirMs: number
}

/** The last ad break of a live source that an event reported. */
export interface AdBreak {
  readonly beginsMs: number
  readonly endsMs: number
}
