import { aPod, aProgram } from './a-program.ts'
import type { RequestParts } from './call.ts'
import type { FilledAccount, Names } from './filled-account.ts'
import { putAccount, putSession } from './swapped-credentials.ts'

/** An attempt to access records of another account. */
export interface Try {
  readonly what: string
  /** With the names of the other account, sent by `self`. */
  request(names: Names, self: FilledAccount): RequestParts
  /** The answer to another account, the same as for unused names. */
  readonly otherAccount: string
  /** The answer to the account itself: it shows that the record exists. */
  readonly own: string
}

/** `names nothing`: the operation takes no id or text that could address a record of another account. */
export type Attempts = readonly Try[] | 'names nothing' | 'not built'

const pageMark = (mark: keyof Names): Try => ({
  what: 'a cursor of its pages',
  request: (names) => ({ query: { page_offset: names[mark] } }),
  otherAccount: '400 page.mark_invalid',
  own: '200',
})

const user = (names: Names) => ({ params: { user_id: names.userId } })
const brand = (names: Names) => ({ params: { brand_id: names.brandId } })
const series = (names: Names) => ({ params: { series_id: names.seriesId } })
const video = (names: Names) => ({ params: { video_id: names.videoId } })
const playlist = (names: Names) => ({ params: { playlist_id: names.playlistId } })
const channel = (names: Names) => ({ params: { linear_channel_id: names.channelId } })
const secondChannel = (names: Names) => ({ params: { linear_channel_id: names.secondChannelId } })
const liveSource = (names: Names) => ({ params: { live_source_id: names.sourceId } })
const secondLiveSource = (names: Names) => ({ params: { live_source_id: names.secondSourceId } })
const webhook = (names: Names) => ({ params: { webhook_id: names.webhookId } })
const recipient = (names: Names) => ({ params: { alert_recipient_id: names.recipientId } })
const output = ({ channelId, distributor }: Names) => ({
  params: { linear_channel_id: channelId, distributor },
})

const program = ({ secondChannelId, programId }: Names) => ({
  params: { linear_channel_id: secondChannelId, program_id: programId },
})

const aSource = {
  name: 'Ours',
  type: 'HLS_PULL',
  metadata: { input_url: 'https://live.example/ours.m3u8' },
}

/** An id in the path. */
const id = (otherAccount: string, own: string, request: Try['request']): Try => ({
  what: 'its id',
  request,
  otherAccount,
  own,
})

/** Each channel of a bulk call has its own result: not found for another account. */
const bulkChannel: Try = {
  what: 'its channel',
  request: ({ secondChannelId }) => ({ body: [{ linear_channel_id: secondChannelId }] }),
  otherAccount: '200',
  own: '200',
}

/**
 * The answers to requests with names of another account, for every operation,
 * written by hand. The account itself sends them in the order of this table, so
 * deletes come after reads.
 */
export const otherAccountTable: Readonly<Record<string, Attempts>> = {
  login: [
    {
      what: 'its e-mail and password',
      request: ({ email, password }, { accountName: account_name }) => ({
        body: { account_name, email, password },
      }),
      otherAccount: '401 session.refused',
      own: '200',
    },
  ],
  registerDevice: [
    {
      what: 'its SDK key, with another account put in',
      request: ({ appName: app_name, sdkKey }, { accountId }) => ({
        body: { app_name, sdk_key: putAccount(sdkKey, accountId) },
      }),
      otherAccount: '401 session.refused',
      own: '200',
    },
    {
      what: 'its name of an app, with an SDK key of another',
      request: ({ appName: app_name }, { names }) => ({ body: { app_name, sdk_key: names.sdkKey } }),
      otherAccount: '401 session.refused',
      own: '200',
    },
  ],
  refreshSession: [
    {
      what: 'its refresh credential, with another account put in',
      request: ({ refresh }, { accountId }) => ({ body: { token_refresh: putAccount(refresh, accountId) } }),
      otherAccount: '401 session.ended',
      own: '200',
    },
    {
      what: 'its session put into a refresh credential of another',
      request: ({ sessionId }, { names }) => ({
        body: { token_refresh: putSession(names.refresh, sessionId) },
      }),
      otherAccount: '401 session.ended',
      own: '200',
    },
  ],

  getAccount: 'names nothing',
  changeAccount: 'names nothing',

  listUsers: [
    {
      what: 'an e-mail',
      request: ({ email }) => ({ query: { email } }),
      otherAccount: '200 empty',
      own: '200',
    },
    pageMark('usersMark'),
  ],
  createUser: [
    {
      what: 'an e-mail',
      request: ({ email }) => ({ body: { email, password: 'a password of ours', roles: ['ROLE_USER'] } }),
      otherAccount: '201',
      own: '409 user.exists',
    },
  ],
  getUser: [id('404 user.not_found', '200', user)],
  changeUser: [id('404 user.not_found', '200', (names) => ({ ...user(names), body: { name: 'x' } }))],
  deleteUser: [id('404 user.not_found', '204', user)],
  listAppKeys: [pageMark('appKeysMark')],
  createAppKey: [
    {
      what: 'the name of an app',
      request: ({ appName }) => ({ body: { app_name: appName } }),
      otherAccount: '201',
      // Several keys may have the same name.
      own: '201',
    },
  ],
  revokeAppKey: [
    id('404 app_key.not_found', '204', ({ appKeyId }) => ({ params: { app_key_id: appKeyId } })),
  ],

  listSeries: [pageMark('seriesMark')],
  getSeries: [id('404 series.not_found', '200', series)],
  listSeriesVideos: [id('404 series.not_found', '200 empty', series)],
  listVideos: [pageMark('videosMark')],
  getVideo: [id('404 video.not_found', '200', video)],
  searchVideos: [
    {
      what: 'words of a title',
      request: ({ videoTitle }) => ({ body: { query: `"${videoTitle}"` } }),
      otherAccount: '200 empty',
      own: '200',
    },
    {
      what: 'an id in a filter',
      request: ({ secondVideoId }) => ({ body: { filter: { eq: { video_id: secondVideoId } } } }),
      otherAccount: '200 empty',
      own: '200',
    },
    {
      what: 'a cursor of its pages',
      request: ({ searchMark }) => ({ query: { page_offset: searchMark }, body: {} }),
      otherAccount: '400 page.mark_invalid',
      own: '200',
    },
  ],
  listPlaylists: [pageMark('playlistsMark')],
  getPlaylist: [id('404 playlist.not_found', '200', playlist)],
  listPlaylistVideos: [id('404 playlist.not_found', '200', playlist)],
  createSeries: [
    {
      what: 'its brand',
      request: ({ secondBrandId }) => ({ body: { title: 'Ours', brand_id: secondBrandId } }),
      otherAccount: '422 brand.unknown',
      own: '201',
    },
  ],
  changeSeries: [
    id('404 series.not_found', '200', (names) => ({ ...series(names), body: { description: 'Ours' } })),
    {
      what: 'its brand',
      request: ({ secondBrandId }, { names }) => ({
        params: { series_id: names.secondSeriesId },
        body: { brand_id: secondBrandId },
      }),
      otherAccount: '422 brand.unknown',
      own: '200',
    },
  ],
  deleteSeries: [id('404 series.not_found', '204', series)],
  createVideo: [
    {
      what: 'the id of a series',
      request: ({ secondSeriesId }) => ({ body: { title: 'Ours', duration: 1, series_id: secondSeriesId } }),
      otherAccount: '422 series.unknown',
      own: '201',
    },
    {
      what: 'the id of a brand',
      request: ({ secondBrandId }) => ({ body: { title: 'Ours', duration: 1, brand_id: secondBrandId } }),
      otherAccount: '422 brand.unknown',
      own: '201',
    },
  ],
  changeVideo: [
    id('404 video.not_found', '200', (names) => ({ ...video(names), body: { title: 'Ours' } })),
    {
      what: 'the id of a series',
      request: ({ secondSeriesId }, { names }) => ({
        params: { video_id: names.secondVideoId },
        body: { series_id: secondSeriesId },
      }),
      otherAccount: '422 series.unknown',
      own: '200',
    },
  ],
  deleteVideo: [id('404 video.not_found', '204', video)],
  createPlaylist: 'names nothing',
  changePlaylist: [
    id('404 playlist.not_found', '200', (names) => ({ ...playlist(names), body: { description: 'Ours' } })),
  ],
  setPlaylistVideos: [
    id('404 playlist.not_found', '200', (names) => ({ ...playlist(names), body: { video_ids: [] } })),
    {
      what: 'its video',
      request: ({ secondVideoId }, { names }) => ({
        params: { playlist_id: names.secondPlaylistId },
        body: { video_ids: [secondVideoId] },
      }),
      otherAccount: '422 video.unknown',
      own: '200',
    },
  ],
  deletePlaylist: [id('404 playlist.not_found', '204', playlist)],

  listBrands: [pageMark('brandsMark')],
  getBrand: [id('404 brand.not_found', '200', brand)],
  createBrand: [
    {
      what: 'its id',
      request: ({ secondBrandId }) => ({ body: { brand_id: secondBrandId, name: 'Ours' } }),
      otherAccount: '201',
      own: '409 brand.exists',
    },
  ],
  changeBrand: [id('404 brand.not_found', '200', (names) => ({ ...brand(names), body: { name: 'Ours' } }))],
  deleteBrand: [id('404 brand.not_found', '204', brand)],

  scheduleProgram: [
    {
      what: 'its channel',
      request: ({ channelId }, { accountName }) => ({ body: aProgram(channelId, `on-${accountName}`) }),
      otherAccount: '404 channel.not_found',
      own: '202',
    },
  ],
  getScheduleRequest: [
    id('404 request.not_found', '200', ({ requestId }) => ({ params: { request_id: requestId } })),
  ],

  listLinearChannels: [
    {
      what: 'a title',
      request: ({ channelTitle }) => ({ query: { linear_channel_name: channelTitle } }),
      otherAccount: '200 empty',
      own: '200',
    },
  ],
  createLinearChannel: [
    {
      what: 'its video',
      request: ({ secondVideoId }) => ({ body: { title: 'Ours', rescue_slate_video_id: secondVideoId } }),
      otherAccount: '422 video.unknown',
      own: '201',
    },
    {
      what: 'its playlist',
      request: ({ secondPlaylistId }) => ({ body: { title: 'Ours', filler_playlist_id: secondPlaylistId } }),
      otherAccount: '422 playlist.unknown',
      own: '201',
    },
  ],
  getLinearChannel: [id('404 channel.not_found', '200', channel)],
  changeLinearChannel: [
    id('404 channel.not_found', '200', (names) => ({ ...channel(names), body: { description: 'Ours' } })),
  ],
  listPrograms: [id('404 channel.not_found', '200 empty', channel)],
  // Its program is made in its second channel.
  createProgram: [
    id('404 channel.not_found', '201', (names) => ({ ...channel(names), body: aPod(5) })),
    {
      what: 'its video',
      request: ({ secondVideoId }, { names }) => ({
        ...channel(names),
        body: { ...aPod(6), items: [{ video_id: secondVideoId }] },
      }),
      otherAccount: '422 video.unknown',
      own: '409 video.not_playable',
    },
    {
      what: 'its playlist',
      request: ({ secondPlaylistId }, { names }) => ({
        ...channel(names),
        body: { ...aPod(7), items: [{ playlist_id: secondPlaylistId }, ...aPod(7).items] },
      }),
      otherAccount: '422 playlist.unknown',
      own: '409 video.not_playable',
    },
  ],
  getProgram: [
    id('404 channel.not_found', '200', program),
    {
      what: 'its program in a channel of ours',
      request: ({ programId }, { names }) => ({
        params: { linear_channel_id: names.secondChannelId, program_id: programId },
      }),
      otherAccount: '404 program.not_found',
      own: '200',
    },
  ],
  replaceProgram: [
    id('404 channel.not_found', '200', (names) => ({ ...program(names), body: aPod(9) })),
    {
      what: 'its program in a channel of ours',
      request: ({ programId }, { names }) => ({
        params: { linear_channel_id: names.secondChannelId, program_id: programId },
        body: aPod(10),
      }),
      otherAccount: '404 program.not_found',
      own: '200',
    },
  ],
  cancelProgram: [id('404 channel.not_found', '204', program)],
  getPlan: [id('404 channel.not_found', '200', secondChannel)],
  putPlan: [
    id('404 channel.not_found', '200', (names) => ({ ...secondChannel(names), body: { time_zone: 'UTC' } })),
    {
      what: 'its playlist',
      request: ({ secondPlaylistId }, { names }) => ({
        ...secondChannel(names),
        body: {
          time_zone: 'UTC',
          default: { content: { playlist_id: secondPlaylistId }, order: 'SHUFFLE' },
        },
      }),
      otherAccount: '422 plan.invalid',
      own: '200',
    },
    {
      what: 'its series',
      request: ({ secondSeriesId }, { names }) => ({
        ...secondChannel(names),
        body: {
          time_zone: 'UTC',
          default: { content: { series_ids: [secondSeriesId] }, order: 'SHUFFLE' },
        },
      }),
      otherAccount: '422 plan.invalid',
      own: '200',
    },
  ],
  previewPlan: [id('404 channel.not_found', '200', (names) => ({ ...secondChannel(names), body: {} }))],
  deletePlan: [id('404 channel.not_found', '204', secondChannel)],
  readOnAirNow: [id('404 channel.not_found', '200', channel)],
  listOutputs: [id('404 channel.not_found', '200', channel)],
  createOutput: [
    id('404 channel.not_found', '201', (names) => ({ ...channel(names), body: { distributor: 'ours' } })),
  ],
  changeOutput: [
    id('404 channel.not_found', '200', (names) => ({ ...output(names), body: { markers: 'CUE' } })),
  ],
  deleteOutput: [id('404 channel.not_found', '204', output)],
  startLinearChannel: [id('404 channel.not_found', '200', channel)],
  stopLinearChannel: [id('404 channel.not_found', '200', channel)],
  deleteLinearChannel: [id('404 channel.not_found', '204', channel)],
  // The source is not active, which another account cannot find out.
  overrideChannels: [
    id('404 live_source.not_found', '409 live_source.not_active', (names) => ({
      ...liveSource(names),
      body: [{ linear_channel_id: names.secondChannelId }],
    })),
  ],
  rescueChannels: [bulkChannel],
  returnChannelsToSchedule: [bulkChannel],

  listLiveSources: 'names nothing',
  getLiveSource: [id('404 live_source.not_found', '200', liveSource)],
  activateLiveSource: [id('404 live_source.not_found', '200', secondLiveSource)],
  deactivateLiveSource: [id('404 live_source.not_found', '200', secondLiveSource)],
  insertAdBreak: [
    id('404 live_source.not_found', '409 live_source.not_active', (names) => ({
      ...liveSource(names),
      body: { duration: 30 },
    })),
  ],
  endAdBreak: [id('404 live_source.not_found', '409 ad_break.not_open', liveSource)],
  createLiveSource: [
    {
      what: 'its video',
      request: ({ secondVideoId }) => ({ body: { ...aSource, ad_slate: secondVideoId } }),
      otherAccount: '422 video.unknown',
      own: '201',
    },
    {
      what: 'its channel',
      request: ({ secondChannelId }) => ({
        body: { ...aSource, auto_switch_channel_ids: [secondChannelId] },
      }),
      otherAccount: '422 channel.unknown',
      own: '201',
    },
  ],
  changeLiveSource: [
    id('404 live_source.not_found', '200', (names) => ({
      ...liveSource(names),
      body: { description: 'Ours' },
    })),
  ],
  // Before the source is deleted.
  getLiveSourceHealth: [id('404 live_source.not_found', '200', liveSource)],
  getLiveSourcePreview: [id('404 live_source.not_found', '200', liveSource)],
  deleteLiveSource: [id('404 live_source.not_found', '204', liveSource)],

  reportAnalytics: 'names nothing',
  reportInterstitials: 'names nothing',
  reportChannelStarts: 'names nothing',
  reportProgramSchedules: 'names nothing',
  reportComponentSchedules: 'names nothing',
  reportComponentMinutes: 'names nothing',
  reportAudience: 'names nothing',
  readAudienceNow: [
    {
      what: 'the viewers of its channel',
      request: ({ channelId }) => ({ query: { linear_channel_id: channelId } }),
      otherAccount: '200',
      own: '200',
    },
  ],
  // Lines of an output that the account does not have are not counted.
  importAudienceLines: [
    {
      what: 'its channel',
      request: ({ channelId, distributor }) => ({
        body: {
          lines: [
            { time_ms: 1_772_388_000_123, linear_channel_id: channelId, distributor, sid: 'x'.repeat(32) },
          ],
        },
      }),
      otherAccount: '200',
      own: '200',
    },
  ],

  listAudit: [
    {
      what: 'what its user did',
      request: ({ adminId }) => ({ query: { user_id: adminId } }),
      otherAccount: '200 empty',
      own: '200',
    },
    {
      what: 'what was done to its channel',
      request: ({ channelId }) => ({ query: { subject_id: channelId } }),
      otherAccount: '200 empty',
      own: '200',
    },
    pageMark('auditMark'),
  ],
  listAlerts: [pageMark('alertsMark')],
  streamEvents: [
    {
      what: 'events of its channel',
      request: ({ channelId }) => ({ query: { subject_id: channelId, from: 'oldest', follow: 'false' } }),
      otherAccount: '200',
      own: '200',
    },
  ],

  listWebhooks: [pageMark('webhooksMark')],
  createWebhook: 'names nothing',
  getWebhook: [id('404 webhook.not_found', '200', webhook)],
  changeWebhook: [
    id('404 webhook.not_found', '200', (names) => ({ ...webhook(names), body: { description: 'Ours' } })),
  ],
  rotateWebhookSecret: [id('404 webhook.not_found', '200', webhook)],
  testWebhook: [id('404 webhook.not_found', '202', webhook)],
  replayWebhook: [
    id('404 webhook.not_found', '202', (names) => ({
      ...webhook(names),
      body: { from: '2026-03-01T18:00:00.000Z' },
    })),
  ],
  listWebhookDeliveries: [id('404 webhook.not_found', '200', webhook)],
  deleteWebhook: [id('404 webhook.not_found', '204', webhook)],

  listAlertRecipients: [pageMark('recipientsMark')],
  createAlertRecipient: 'names nothing',
  getAlertRecipient: [id('404 alert_recipient.not_found', '200', recipient)],
  changeAlertRecipient: [
    id('404 alert_recipient.not_found', '200', (names) => ({
      ...recipient(names),
      body: { description: 'Ours' },
    })),
  ],
  testAlertRecipient: [id('404 alert_recipient.not_found', '202', recipient)],
  listAlertMails: [id('404 alert_recipient.not_found', '200', recipient)],
  deleteAlertRecipient: [id('404 alert_recipient.not_found', '204', recipient)],

  endSession: 'names nothing',
}
