/**
 * Which role may call which operation. Written by hand and not derived from the contract, so that neither can change
 * without the other.
 */
const table: readonly {
  readonly roles: readonly Role[] | 'any' | 'no credential'
  readonly operations: string
}[] = [
  {
    roles: 'no credential',
    operations: 'login registerDevice refreshSession',
  },
  {
    roles: 'any',
    operations: `
      listSeries getSeries listSeriesVideos listVideos getVideo searchVideos
      listPlaylists getPlaylist listPlaylistVideos listBrands getBrand endSession`,
  },
  {
    roles: ['ROLE_USER', 'ROLE_OPERATOR', 'SCHEDULE', 'ROLE_ADMIN'],
    operations: `
      getAccount listLinearChannels getLinearChannel listOutputs listPrograms getProgram readOnAirNow getPlan
      listLiveSources getLiveSource getLiveSourceHealth getLiveSourcePreview readAudienceNow listAlerts streamEvents`,
  },
  {
    roles: ['SCHEDULE', 'ROLE_ADMIN'],
    operations: `
      scheduleProgram getScheduleRequest createProgram replaceProgram cancelProgram putPlan deletePlan previewPlan`,
  },
  {
    roles: ['ROLE_OPERATOR', 'ROLE_ADMIN'],
    operations: `
      overrideChannels rescueChannels returnChannelsToSchedule activateLiveSource deactivateLiveSource
      insertAdBreak endAdBreak importAudienceLines`,
  },
  {
    roles: ['SCHEDULE'],
    operations: `
      reportAnalytics reportInterstitials reportChannelStarts reportProgramSchedules reportComponentSchedules
      reportComponentMinutes reportAudience`,
  },
  {
    roles: ['ROLE_ADMIN'],
    operations: `
      changeAccount listUsers createUser getUser changeUser deleteUser listAppKeys createAppKey revokeAppKey
      createSeries changeSeries deleteSeries createVideo changeVideo deleteVideo
      createPlaylist changePlaylist deletePlaylist setPlaylistVideos createBrand changeBrand deleteBrand
      createLinearChannel changeLinearChannel deleteLinearChannel startLinearChannel stopLinearChannel
      createOutput changeOutput deleteOutput createLiveSource changeLiveSource deleteLiveSource listAudit
      listWebhooks createWebhook getWebhook changeWebhook deleteWebhook rotateWebhookSecret testWebhook
      replayWebhook listWebhookDeliveries listAlertRecipients createAlertRecipient getAlertRecipient
      changeAlertRecipient deleteAlertRecipient testAlertRecipient listAlertMails`,
  },
]

export const roles = ['ROLE_ANONYMOUS', 'ROLE_USER', 'ROLE_OPERATOR', 'SCHEDULE', 'ROLE_ADMIN'] as const

export type Role = (typeof roles)[number]

const lines = table.flatMap(({ roles, operations }) =>
  operations
    .trim()
    .split(/\s+/)
    .map((id) => [id, roles] as const),
)

export const listedIds = lines.map(([id]) => id)
const rolesOf = new Map(lines)

/** It takes no credential, and ignores one that is sent. */
export const isOpen = (operationId: string): boolean => rolesOf.get(operationId) === 'no credential'

export function mayCall(operationId: string, role: string): boolean {
  const listed = rolesOf.get(operationId) ?? []
  return listed === 'any' || (Array.isArray(listed) && listed.includes(role))
}
