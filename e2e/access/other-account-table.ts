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
const channel = (names: Names) => ({ params: { linear_channel_id: names.channelId } })
const output = ({ channelId, distributor }: Names) => ({
  params: { linear_channel_id: channelId, distributor },
})

/** An id in the path, and what the account itself gets. */
const id = (stranger: string, own: string, ask: Try['ask']): Try => ({ what: 'its id', ask, stranger, own })

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

  listSeries: 'not built',
  getSeries: 'not built',
  listSeriesVideos: 'not built',
  listVideos: 'not built',
  getVideo: 'not built',
  searchVideos: 'not built',
  listPlaylists: 'not built',
  getPlaylist: 'not built',
  listPlaylistVideos: 'not built',
  createSeries: 'not built',
  changeSeries: 'not built',
  deleteSeries: 'not built',
  createVideo: 'not built',
  changeVideo: 'not built',
  deleteVideo: 'not built',
  createPlaylist: 'not built',
  changePlaylist: 'not built',
  deletePlaylist: 'not built',
  setPlaylistVideos: 'not built',

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

  scheduleProgram: 'not built',
  getScheduleRequest: 'not built',

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
      what: 'an id for a video',
      ask: ({ channelId }) => ({ body: { title: 'Ours', rescue_slate_video_id: channelId } }),
      stranger: '422 video.unknown',
      own: '422 video.unknown',
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
  deleteLinearChannel: [id('404 channel.not_found', '204', channel)],
  startLinearChannel: 'not built',
  stopLinearChannel: 'not built',
  overrideChannels: 'not built',
  rescueChannels: 'not built',
  returnChannelsToSchedule: 'not built',

  listLiveSources: 'not built',
  getLiveSource: 'not built',
  activateLiveSource: 'not built',
  deactivateLiveSource: 'not built',
  insertAdBreak: 'not built',
  endAdBreak: 'not built',
  createLiveSource: 'not built',
  changeLiveSource: 'not built',
  deleteLiveSource: 'not built',

  reportAnalytics: 'not built',
  reportInterstitials: 'not built',
  reportChannelStarts: 'not built',
  reportProgramSchedules: 'not built',
  reportComponentSchedules: 'not built',
  reportComponentMinutes: 'not built',

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
  streamEvents: 'not built',

  endSession: 'names nothing',
}
