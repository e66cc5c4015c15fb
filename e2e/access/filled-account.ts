import { randomBytes } from 'node:crypto'
import { type Endpoint, operations } from '@continuity/contract'
import type { openOwner } from '@continuity/server/owner'
import { everyRole } from '../every-role.ts'
import { aPod, aProgram } from './a-program.ts'
import type { Api, Headers } from './call.ts'
import { claimsOf, done, type Login, logIn, registerDevice, type Session } from './session.ts'

/** An account with records of every kind. */
export interface FilledAccount {
  readonly accountName: string
  readonly accountId: string
  /** With every role that a user can have. */
  readonly session: Session
  /** Of the same user. Forgeries are made from this session, because a forgery that is accepted may end it. */
  readonly sample: Session
  readonly login: Login
  /** What requests of others would have to contain to address its records. */
  readonly names: Names
}

/** Ids, names and credentials of an account, all different. */
export interface Names {
  readonly adminId: string
  readonly userId: string
  readonly email: string
  readonly password: string
  readonly appKeyId: string
  readonly appName: string
  readonly sdkKey: string
  readonly refresh: string
  readonly sessionId: string
  readonly brandId: string
  /** Of a brand that is never deleted. */
  readonly secondBrandId: string
  /** The second ones here and below are never deleted. */
  readonly seriesId: string
  readonly secondSeriesId: string
  readonly videoId: string
  readonly secondVideoId: string
  readonly playlistId: string
  readonly secondPlaylistId: string
  readonly channelId: string
  readonly secondChannelId: string
  readonly channelTitle: string
  readonly distributor: string
  readonly sourceId: string
  readonly secondSourceId: string
  readonly thirdSourceId: string
  readonly webhookId: string
  readonly secondWebhookId: string
  readonly thirdWebhookId: string
  readonly recipientId: string
  readonly secondRecipientId: string
  readonly thirdRecipientId: string
  readonly requestId: string
  readonly programId: string
  readonly usersMark: string
  readonly appKeysMark: string
  readonly brandsMark: string
  readonly videoTitle: string
  readonly seriesMark: string
  readonly videosMark: string
  readonly searchMark: string
  readonly playlistsMark: string
  readonly auditMark: string
  readonly alertsMark: string
  readonly webhooksMark: string
  readonly recipientsMark: string
}

type Owner = ReturnType<typeof openOwner>

/** Creates an account. Every name contains `word`, so that a leak can be found. */
export async function makeFilledAccount(
  owner: Owner,
  api: Api,
  word: string,
  openAlerts: (accountId: string, word: string) => Promise<void>,
): Promise<FilledAccount> {
  const accountName = word
  const login = { account_name: accountName, email: `admin@${word}.example`, password: `${word} password` }
  const draft = {
    title: `Title of ${word}`,
    country: undefined,
    frame_rate: undefined,
    segment_ms: undefined,
  }
  const { account_id: accountId } = await owner.createAccount({ ...draft, account_name: accountName })
  await owner.createUser(accountName, { ...login, name: `Admin of ${word}`, roles: everyRole })
  const [session, sample] = [await logIn(api, login), await logIn(api, login)]
  await openAlerts(accountId, word)
  const made = { adminId: claimsOf(session.access).subjectId, ...(await makeRecords(api, session, word)) }
  const marks = await readMarks(api, session)
  return { accountName, accountId, session, sample, login, names: { ...made, ...marks } }
}

async function makeRecords(api: Api, { headers }: Session, word: string) {
  const {
    createAppKey,
    createBrand,
    createLinearChannel,
    createLiveSource,
    createOutput,
    createUser,
    scheduleProgram,
  } = operations
  const password = `${word} password too`
  const email = `user@${word}.example`
  const draft = { email, name: `User of ${word}`, password, roles: ['ROLE_USER'] }
  const user = await done<{ user_id: string }>(api, createUser, { headers, body: draft })

  const appName = `app-${word}`
  const body = { app_name: appName }
  const appKey = await done<{ app_key_id: string; sdk_key: string }>(api, createAppKey, { headers, body })
  await done(api, createAppKey, { headers, body: { app_name: `second-app-${word}` } })

  const [brandId, secondBrandId] = [`brand-${word}`, `second-brand-${word}`]
  for (const id of [brandId, secondBrandId]) {
    await done(api, createBrand, { headers, body: { brand_id: id, name: `Name of ${id}` } })
  }

  const catalog = await makeCatalog(api, headers, word)

  const channelTitle = `Channel of ${word}`
  const channelDraft = {
    title: channelTitle,
    description: `Described by ${word}`,
    internal_title: `at-${word}`,
  }
  const channel = await done<{ linear_channel_id: string }>(api, createLinearChannel, {
    headers,
    body: channelDraft,
  })
  const secondChannel = await done<{ linear_channel_id: string }>(api, createLinearChannel, {
    headers,
    body: { title: `Second channel of ${word}` },
  })
  const distributor = `tv-${word}`
  await done(api, createOutput, {
    headers,
    params: { linear_channel_id: channel.linear_channel_id },
    body: { distributor, key: `key-of-${word}` },
  })

  const makeSource = (name: string) =>
    done<{ live_source_id: string }>(api, createLiveSource, {
      headers,
      body: { name, type: 'HLS_PULL', metadata: { input_url: `https://live.example/${word}.m3u8` } },
    })
  const source = await makeSource(`Source of ${word}`)
  const secondSource = await makeSource(`Second source of ${word}`)
  const thirdSource = await makeSource(`Third source of ${word}`)

  const makeWebhook = (name: string) =>
    done<{ webhook_id: string }>(api, operations.createWebhook, {
      headers,
      body: { url: `https://hooks.example/${name}`, description: `Hook of ${word}` },
    })
  const webhook = await makeWebhook('first')
  const secondWebhook = await makeWebhook('second')
  const thirdWebhook = await makeWebhook('third')

  const makeRecipient = (name: string) =>
    done<{ alert_recipient_id: string }>(api, operations.createAlertRecipient, {
      headers,
      body: { address: `${name}@desk.example`, description: `Desk of ${word}` },
    })
  const recipient = await makeRecipient('first')
  const secondRecipient = await makeRecipient('second')
  const thirdRecipient = await makeRecipient('third')

  const request = await done<{ request_id: string }>(api, scheduleProgram, {
    headers,
    body: aProgram(channel.linear_channel_id, word),
  })

  const program = await done<{ program_id: string }>(api, operations.createProgram, {
    headers,
    params: { linear_channel_id: secondChannel.linear_channel_id },
    body: { ...aPod(4), title: `Pod of ${word}` },
  })

  await done(api, operations.putPlan, {
    headers,
    params: { linear_channel_id: secondChannel.linear_channel_id },
    body: { time_zone: 'UTC' },
  })

  const device = await registerDevice(api, appName, appKey.sdk_key)
  return {
    userId: user.user_id,
    email,
    password,
    appKeyId: appKey.app_key_id,
    appName,
    sdkKey: appKey.sdk_key,
    refresh: device.refresh,
    sessionId: claimsOf(device.access).sessionId,
    brandId,
    secondBrandId,
    ...catalog,
    channelId: channel.linear_channel_id,
    secondChannelId: secondChannel.linear_channel_id,
    channelTitle,
    distributor,
    sourceId: source.live_source_id,
    secondSourceId: secondSource.live_source_id,
    thirdSourceId: thirdSource.live_source_id,
    webhookId: webhook.webhook_id,
    secondWebhookId: secondWebhook.webhook_id,
    thirdWebhookId: thirdWebhook.webhook_id,
    recipientId: recipient.alert_recipient_id,
    secondRecipientId: secondRecipient.alert_recipient_id,
    thirdRecipientId: thirdRecipient.alert_recipient_id,
    requestId: request.request_id,
    programId: program.program_id,
  }
}

async function makeCatalog(api: Api, headers: Headers, word: string) {
  const { createPlaylist, createSeries, createVideo, setPlaylistVideos } = operations
  const make = async <T>(e: Endpoint, name: string, rest: object = {}) =>
    done<T>(api, e, { headers, body: { title: `${name} of ${word}`, ...rest } })

  const series = await make<{ series_id: string }>(createSeries, 'Series')
  const secondSeries = await make<{ series_id: string }>(createSeries, 'Second series')
  const about = { duration: 60, status: 'READY', description: `Filmed by ${word}` }
  const video = await make<{ video_id: string }>(createVideo, 'Video', about)
  const secondVideo = await make<{ video_id: string }>(createVideo, 'Second video', about)
  const playlist = await make<{ playlist_id: string }>(createPlaylist, 'Playlist')
  const secondPlaylist = await make<{ playlist_id: string }>(createPlaylist, 'Second playlist')
  const params = { playlist_id: playlist.playlist_id }
  await done(api, setPlaylistVideos, { headers, params, body: { video_ids: [secondVideo.video_id] } })
  return {
    seriesId: series.series_id,
    secondSeriesId: secondSeries.series_id,
    videoId: video.video_id,
    videoTitle: `Video of ${word}`,
    secondVideoId: secondVideo.video_id,
    playlistId: playlist.playlist_id,
    secondPlaylistId: secondPlaylist.playlist_id,
  }
}

/** The cursors of its second pages; every list has two rows at least. */
async function readMarks(api: Api, { headers }: Session) {
  const { listAlerts, listAppKeys, listAudit, listBrands, listPlaylists, listSeries, listUsers } = operations
  const { listVideos, searchVideos } = operations
  const markOf = async (e: Endpoint, body?: object) => {
    const firstPage = { headers, query: { page_size: '1' }, body }
    const { page } = await done<{ page: { page_mark: string | null } }>(api, e, firstPage)
    if (page.page_mark === null) throw new Error(`${e.id} has only one page`)
    return page.page_mark
  }
  return {
    usersMark: await markOf(listUsers),
    appKeysMark: await markOf(listAppKeys),
    brandsMark: await markOf(listBrands),
    seriesMark: await markOf(listSeries),
    videosMark: await markOf(listVideos),
    searchMark: await markOf(searchVideos, {}),
    playlistsMark: await markOf(listPlaylists),
    auditMark: await markOf(listAudit),
    alertsMark: await markOf(listAlerts),
    webhooksMark: await markOf(operations.listWebhooks),
    recipientsMark: await markOf(operations.listAlertRecipients),
  }
}

/** Names of the same form that are not in use. */
export function unusedNames(like: Names): Names {
  const entries = Object.entries(like) as [keyof Names, string][]
  return Object.fromEntries(entries.map(([name, text]) => [name, otherThan(name, text)])) as unknown as Names
}

function otherThan(name: keyof Names, text: string): string {
  const prefix = { sdkKey: 'sdk_', refresh: 'r_' }[name as string] ?? ''
  const isBytes = prefix !== '' || name.endsWith('Mark')
  if (isBytes) {
    const { length } = Buffer.from(text.slice(prefix.length), 'base64url')
    return prefix + randomBytes(length).toString('base64url')
  }
  return text.replaceAll(/[0-9a-f]{4,}/g, ({ length }) =>
    randomBytes(length).toString('hex').slice(0, length),
  )
}
