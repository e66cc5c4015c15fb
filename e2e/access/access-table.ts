/**
 * Which role may call which operation. Written by hand and not derived from the
 * contract, so that neither can change without the other.
 *
 * `x` is allowed, `.` is rejected with 403, `o` needs no credential. The last
 * column is the status of an allowed call with the request of `requests.ts`:
 * 501 is an operation that is not implemented. Logging out comes last, because
 * it ends the sessions that are used here.
 */
const TABLE = `
operation                  nothing  ANONYMOUS  USER  OPERATOR  SCHEDULE  ADMIN    let in

login                         o         o        o       o         o       o        400
registerDevice                o         o        o       o         o       o        400
refreshSession                o         o        o       o         o       o        400

getAccount                    .         .        x       x         x       x        200
changeAccount                 .         .        .       .         .       x        200
listUsers                     .         .        .       .         .       x        200
createUser                    .         .        .       .         .       x        201
getUser                       .         .        .       .         .       x        404
changeUser                    .         .        .       .         .       x        404
deleteUser                    .         .        .       .         .       x        404
listAppKeys                   .         .        .       .         .       x        200
createAppKey                  .         .        .       .         .       x        201
revokeAppKey                  .         .        .       .         .       x        404

listSeries                    x         x        x       x         x       x        200
getSeries                     x         x        x       x         x       x        404
listSeriesVideos              x         x        x       x         x       x        404
listVideos                    x         x        x       x         x       x        200
getVideo                      x         x        x       x         x       x        404
searchVideos                  x         x        x       x         x       x        200
listPlaylists                 x         x        x       x         x       x        200
getPlaylist                   x         x        x       x         x       x        404
listPlaylistVideos            x         x        x       x         x       x        404
listBrands                    x         x        x       x         x       x        200
getBrand                      x         x        x       x         x       x        404

createSeries                  .         .        .       .         .       x        201
changeSeries                  .         .        .       .         .       x        404
deleteSeries                  .         .        .       .         .       x        404
createVideo                   .         .        .       .         .       x        201
changeVideo                   .         .        .       .         .       x        404
deleteVideo                   .         .        .       .         .       x        404
createPlaylist                .         .        .       .         .       x        201
changePlaylist                .         .        .       .         .       x        404
deletePlaylist                .         .        .       .         .       x        404
setPlaylistVideos             .         .        .       .         .       x        404
createBrand                   .         .        .       .         .       x        201
changeBrand                   .         .        .       .         .       x        404
deleteBrand                   .         .        .       .         .       x        404

scheduleProgram               .         .        .       .         x       x        404
getScheduleRequest            .         .        .       .         x       x        404

listLinearChannels            .         .        x       x         x       x        200
getLinearChannel              .         .        x       x         x       x        404
listOutputs                   .         .        x       x         x       x        404
listPrograms                  .         .        x       x         x       x        404
getProgram                    .         .        x       x         x       x        404
createProgram                 .         .        .       .         x       x        404
replaceProgram                .         .        .       .         x       x        404
cancelProgram                 .         .        .       .         x       x        404
readOnAirNow                  .         .        x       x         x       x        404
getPlan                       .         .        x       x         x       x        404
putPlan                       .         .        .       .         x       x        404
deletePlan                    .         .        .       .         x       x        404
previewPlan                   .         .        .       .         x       x        404
createLinearChannel           .         .        .       .         .       x        201
changeLinearChannel           .         .        .       .         .       x        404
deleteLinearChannel           .         .        .       .         .       x        404
startLinearChannel            .         .        .       .         .       x        404
stopLinearChannel             .         .        .       .         .       x        404
createOutput                  .         .        .       .         .       x        404
changeOutput                  .         .        .       .         .       x        404
deleteOutput                  .         .        .       .         .       x        404
overrideChannels              .         .        .       x         .       x        404
rescueChannels                .         .        .       x         .       x        200
returnChannelsToSchedule      .         .        .       x         .       x        200

listLiveSources               .         .        x       x         x       x        200
getLiveSource                 .         .        x       x         x       x        404
activateLiveSource            .         .        .       x         .       x        404
deactivateLiveSource          .         .        .       x         .       x        404
insertAdBreak                 .         .        .       x         .       x        404
endAdBreak                    .         .        .       x         .       x        404
createLiveSource              .         .        .       .         .       x        201
changeLiveSource              .         .        .       .         .       x        404
deleteLiveSource              .         .        .       .         .       x        404
getLiveSourceHealth           .         .        x       x         x       x        404
getLiveSourcePreview          .         .        x       x         x       x        404

reportAnalytics               .         .        .       .         x       .        200
reportInterstitials           .         .        .       .         x       .        200
reportChannelStarts           .         .        .       .         x       .        200
reportProgramSchedules        .         .        .       .         x       .        200
reportComponentSchedules      .         .        .       .         x       .        200
reportComponentMinutes        .         .        .       .         x       .        200
reportAudience                .         .        .       .         x       .        200
readAudienceNow               .         .        x       x         x       x        200
importAudienceLines           .         .        .       x         .       x        200

listAudit                     .         .        .       .         .       x        200
listAlerts                    .         .        x       x         x       x        200
streamEvents                  .         .        x       x         x       x        200

listWebhooks                  .         .        .       .         .       x        200
createWebhook                 .         .        .       .         .       x        201
getWebhook                    .         .        .       .         .       x        404
changeWebhook                 .         .        .       .         .       x        404
deleteWebhook                 .         .        .       .         .       x        404
rotateWebhookSecret           .         .        .       .         .       x        404
testWebhook                   .         .        .       .         .       x        404
replayWebhook                 .         .        .       .         .       x        404
listWebhookDeliveries         .         .        .       .         .       x        404

listAlertRecipients           .         .        .       .         .       x        200
createAlertRecipient          .         .        .       .         .       x        201
getAlertRecipient             .         .        .       .         .       x        404
changeAlertRecipient          .         .        .       .         .       x        404
deleteAlertRecipient          .         .        .       .         .       x        404
testAlertRecipient            .         .        .       .         .       x        404
listAlertMails                .         .        .       .         .       x        404

endSession                    x         x        x       x         x       x        204
`

/** The columns, by the role of a session that has no other. */
export const columns = {
  ANONYMOUS: 'ROLE_ANONYMOUS',
  USER: 'ROLE_USER',
  OPERATOR: 'ROLE_OPERATOR',
  SCHEDULE: 'SCHEDULE',
  ADMIN: 'ROLE_ADMIN',
} as const

export type Column = keyof typeof columns | 'nothing'

export interface AccessLine {
  readonly operationId: string
  /** It takes no credential, and ignores one that is sent. */
  readonly isOpen: boolean
  readonly lets: ReadonlySet<Column>
  /** The status of an allowed call. */
  readonly answer: number
}

export const accessTable: readonly AccessLine[] = readTable(TABLE)

function readTable(text: string): AccessLine[] {
  const [head, ...lines] = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/))
  const names = head?.slice(1, 7) as Column[]
  return lines.map(([operationId = '', ...cells]) => {
    const marks = cells.slice(0, names.length)
    const isComplete = cells.length === names.length + 1 && marks.every((mark) => /^[xo.]$/.test(mark))
    if (!isComplete) throw new Error(`the line of ${operationId} is incomplete`)
    return {
      operationId,
      isOpen: marks.every((mark) => mark === 'o'),
      lets: new Set(names.filter((_, index) => marks[index] !== '.')),
      answer: Number(cells.at(-1)),
    }
  })
}
