import { aProgram } from './a-program.ts'
import type { RequestParts } from './call.ts'
import type { FilledAccount, Names } from './filled-account.ts'
import { putAccount, putSession } from './swapped-credentials.ts'

/** A try to reach what is another account's. */
export interface Try {
  readonly what: string
  /** With the names of the other account, sent by `self`. */
  ask(names: Names, self: FilledAccount): RequestParts
  /** What a stranger gets, and gets alike for what nobody has. */
  readonly stranger: string
  /** What the account itself gets for the same request. It shows that there is something to be reached. */
  readonly own: string
}

/** `names nothing` takes no id and no text by which anything of another account could be meant. */
export type Reach = readonly Try[] | 'names nothing' | 'not built'

const pageMark = (mark: keyof Names): Try => ({
  what: 'a mark of its pages',
  ask: (names) => ({ query: { page_offset: names[mark] } }),
  stranger: '400 page.mark_invalid',
  own: '200',
})

const user = (names: Names) => ({ params: { user_id: names.userId } })
const brand = (names: Names) => ({ params: { brand_id: names.brandId } })
const series = (names: Names) => ({ params: { series_id: names.seriesId } })
const video = (names: Names) => ({ params: { video_id: names.videoId } })
const playlist = (names: Names) => ({ params: { playlist_id: names.playlistId } })
const channel = (names: Names) => ({ params: { linear_channel_id: names.channelId } })
const liveSource = (names: Names) => ({ params: { live_source_id: names.sourceId } })
const secondLiveSource = (names: Names) => ({ params: { live_source_id: names.secondSourceId } })
const webhook = (names: Names) => ({ params: { webhook_id: names.webhookId } })
const recipient = (names: Names) => ({ params: { alert_recipient_id: names.recipientId } })
const output = ({ channelId, distributor }: Names) => ({
  params: { linear_channel_id: channelId, distributor },
})

const aSource = {
  name: 'Ours',
  type: 'HLS_PULL',
  metadata: { input_url: 'https://live.example/ours.m3u8' },
}

/** An id in the path, and what the account itself gets. */
const id = (stranger: string, own: string, ask: Try['ask']): Try => ({ what: 'its id', ask, stranger, own })

/** Each channel of a bulk call has a result of its own: a stranger's is that there is none. */
const bulkChannel: Try = {
  what: 'its channel',
  ask: ({ secondChannelId }) => ({ body: [{ linear_channel_id: secondChannelId }] }),
  stranger: '200',
  own: '200',
}

/**
 * What account another's names lead to, for every operation, written by hand.
 * The account itself asks in the order of this table, so what deletes comes
 * after what reads.
 */
export const otherAccountTable: Readonly<Record<string, Reach>> = {
  login: [
    {
      what: 'its e-mail and password',
      ask: ({ email, password }, { accountName: account_name }) => ({
        body: { account_name, email, password },
      }),
      stranger: '401 session.refused',
      own: '200',
    },
  ],
  registerDevice: [
    {
      what: 'its SDK key, with another account put in',
      ask: ({ appName: app_name, sdkKey }, { accountId }) => ({
        body: { app_name, sdk_key: putAccount(sdkKey, accountId) },
      }),
      stranger: '401 session.refused',
      own: '200',
    },
    {
      what: 'its name of an app, with an SDK key of another',
      ask: ({ appName: app_name }, { names }) => ({ body: { app_name, sdk_key: names.sdkKey } }),
      stranger: '401 session.refused',
      own: '200',
    },
  ],
  refreshSession: [
    {
      what: 'its refresh credential, with another account put in',
      ask: ({ refresh }, { accountId }) => ({ body: { token_refresh: putAccount(refresh, accountId) } }),
      stranger: '401 session.ended',
      own: '200',
    },
    {
      what: 'its session put into a refresh credential of another',
      ask: ({ sessionId }, { names }) => ({ body: { token_refresh: putSession(names.refresh, sessionId) } }),
      stranger: '401 session.ended',
      own: '200',
    },
  ],

  getAccount: 'names nothing',
  changeAccount: 'names nothing',

  listUsers: [
    {
      what: 'an e-mail',
      ask: ({ email }) => ({ query: { email } }),
      stranger: '200 empty',
      own: '200',
    },
    pageMark('usersMark'),
  ],
  createUser: [
    {
      what: 'an e-mail',
      ask: ({ email }) => ({ body: { email, password: 'a password of ours', roles: ['ROLE_USER'] } }),
      stranger: '201',
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
      ask: ({ appName }) => ({ body: { app_name: appName } }),
      stranger: '201',
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
      ask: ({ videoTitle }) => ({ body: { query: `"${videoTitle}"` } }),
      stranger: '200 empty',
      own: '200',
    },
    {
      what: 'an id in a filter',
      ask: ({ secondVideoId }) => ({ body: { filter: { eq: { video_id: secondVideoId } } } }),
      stranger: '200 empty',
      own: '200',
    },
    {
      what: 'a mark of its pages',
      ask: ({ searchMark }) => ({ query: { page_offset: searchMark }, body: {} }),
      stranger: '400 page.mark_invalid',
      own: '200',
    },
  ],
  listPlaylists: [pageMark('playlistsMark')],
  getPlaylist: [id('404 playlist.not_found', '200', playlist)],
  listPlaylistVideos: [id('404 playlist.not_found', '200', playlist)],
  createSeries: [
    {
      what: 'its brand',
      ask: ({ secondBrandId }) => ({ body: { title: 'Ours', brand_id: secondBrandId } }),
      stranger: '422 brand.unknown',
      own: '201',
    },
  ],
  changeSeries: [
    id('404 series.not_found', '200', (names) => ({ ...series(names), body: { description: 'Ours' } })),
    {
      what: 'its brand',
      ask: ({ secondBrandId }, { names }) => ({
        params: { series_id: names.secondSeriesId },
        body: { brand_id: secondBrandId },
      }),
      stranger: '422 brand.unknown',
      own: '200',
    },
  ],
  deleteSeries: [id('404 series.not_found', '204', series)],
  createVideo: [
    {
      what: 'the id of a series',
      ask: ({ secondSeriesId }) => ({ body: { title: 'Ours', duration: 1, series_id: secondSeriesId } }),
      stranger: '422 series.unknown',
      own: '201',
    },
    {
      what: 'the id of a brand',
      ask: ({ secondBrandId }) => ({ body: { title: 'Ours', duration: 1, brand_id: secondBrandId } }),
      stranger: '422 brand.unknown',
      own: '201',
    },
  ],
  changeVideo: [
    id('404 video.not_found', '200', (names) => ({ ...video(names), body: { title: 'Ours' } })),
    {
      what: 'the id of a series',
      ask: ({ secondSeriesId }, { names }) => ({
        params: { video_id: names.secondVideoId },
        body: { series_id: secondSeriesId },
      }),
      stranger: '422 series.unknown',
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
      ask: ({ secondVideoId }, { names }) => ({
        params: { playlist_id: names.secondPlaylistId },
        body: { video_ids: [secondVideoId] },
      }),
      stranger: '422 video.unknown',
      own: '200',
    },
  ],
  deletePlaylist: [id('404 playlist.not_found', '204', playlist)],

  listBrands: [pageMark('brandsMark')],
  getBrand: [id('404 brand.not_found', '200', brand)],
  createBrand: [
    {
      what: 'its id',
      ask: ({ secondBrandId }) => ({ body: { brand_id: secondBrandId, name: 'Ours' } }),
      stranger: '201',
      own: '409 brand.exists',
    },
  ],
  changeBrand: [id('404 brand.not_found', '200', (names) => ({ ...brand(names), body: { name: 'Ours' } }))],
  deleteBrand: [id('404 brand.not_found', '204', brand)],

  scheduleProgram: [
    {
      what: 'its channel',
      ask: ({ channelId }, { accountName }) => ({ body: aProgram(channelId, `on-${accountName}`) }),
      stranger: '404 channel.not_found',
      own: '202',
    },
  ],
  getScheduleRequest: [
    id('404 request.not_found', '200', ({ requestId }) => ({ params: { request_id: requestId } })),
  ],

  listLinearChannels: [
    {
      what: 'a title',
      ask: ({ channelTitle }) => ({ query: { linear_channel_name: channelTitle } }),
      stranger: '200 empty',
      own: '200',
    },
  ],
  createLinearChannel: [
    {
      what: 'its video',
      ask: ({ secondVideoId }) => ({ body: { title: 'Ours', rescue_slate_video_id: secondVideoId } }),
      stranger: '422 video.unknown',
      own: '201',
    },
    {
      what: 'its playlist',
      ask: ({ secondPlaylistId }) => ({ body: { title: 'Ours', filler_playlist_id: secondPlaylistId } }),
      stranger: '422 playlist.unknown',
      own: '201',
    },
  ],
  getLinearChannel: [id('404 channel.not_found', '200', channel)],
  changeLinearChannel: [
    id('404 channel.not_found', '200', (names) => ({ ...channel(names), body: { description: 'Ours' } })),
  ],
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
  // Its source is not active, which a stranger does not learn.
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
      ask: ({ secondVideoId }) => ({ body: { ...aSource, ad_slate: secondVideoId } }),
      stranger: '422 video.unknown',
      own: '201',
    },
    {
      what: 'its channel',
      ask: ({ secondChannelId }) => ({ body: { ...aSource, auto_switch_channel_ids: [secondChannelId] } }),
      stranger: '422 channel.unknown',
      own: '201',
    },
  ],
  changeLiveSource: [
    id('404 live_source.not_found', '200', (names) => ({
      ...liveSource(names),
      body: { description: 'Ours' },
    })),
  ],
  // Before the source is gone.
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
      ask: ({ channelId }) => ({ query: { linear_channel_id: channelId } }),
      stranger: '200',
      own: '200',
    },
  ],
  // Lines of an output that the account does not have are not counted; which they are is told alike.
  importAudienceLines: [
    {
      what: 'its channel',
      ask: ({ channelId, distributor }) => ({
        body: {
          lines: [
            { time_ms: 1_772_388_000_123, linear_channel_id: channelId, distributor, sid: 'x'.repeat(32) },
          ],
        },
      }),
      stranger: '200',
      own: '200',
    },
  ],

  listAudit: [
    {
      what: 'what its user did',
      ask: ({ adminId }) => ({ query: { user_id: adminId } }),
      stranger: '200 empty',
      own: '200',
    },
    {
      what: 'what was done to its channel',
      ask: ({ channelId }) => ({ query: { subject_id: channelId } }),
      stranger: '200 empty',
      own: '200',
    },
    pageMark('auditMark'),
  ],
  listAlerts: [pageMark('alertsMark')],
  streamEvents: [
    {
      what: 'events of its channel',
      ask: ({ channelId }) => ({ query: { subject_id: channelId, from: 'oldest', follow: 'false' } }),
      stranger: '200',
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
