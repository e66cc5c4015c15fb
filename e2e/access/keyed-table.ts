import { aPod, aProgram } from './a-program.ts'
import type { RequestParts } from './call.ts'
import type { FilledAccount } from './filled-account.ts'

/** A request that can be carried out once in each account; `word` distinguishes two of them. */
export type KeyedRequest = (self: FilledAccount, word: string) => RequestParts

/** Every operation that accepts an Idempotency-Key, with a request for it. */
export const keyedTable: Readonly<Record<string, KeyedRequest | 'not built' | 'tried elsewhere'>> = {
  createUser: (_, word) => ({
    body: { email: `${word}@keyed.example`, password: 'a password of ours', roles: ['ROLE_USER'] },
  }),
  createAppKey: (_, word) => ({ body: { app_name: `keyed-${word}` } }),
  createBrand: (_, word) => ({ body: { brand_id: `keyed-${word}`, name: word } }),
  createSeries: (_, word) => ({ body: { title: `Keyed ${word}` } }),
  createVideo: (_, word) => ({ body: { title: `Keyed ${word}`, duration: 1 } }),
  createPlaylist: (_, word) => ({ body: { title: `Keyed ${word}` } }),
  setPlaylistVideos: ({ names: { secondPlaylistId, videoId, secondVideoId } }, word) => ({
    params: { playlist_id: secondPlaylistId },
    body: { video_ids: word === 'first' ? [videoId] : word === 'second' ? [] : [secondVideoId] },
  }),
  createLinearChannel: (_, word) => ({ body: { title: `Keyed ${word}` } }),
  createOutput: ({ names }, word) => ({
    params: { linear_channel_id: names.channelId },
    body: { distributor: `keyed-${word}` },
  }),
  scheduleProgram: ({ names }, word) => ({ body: aProgram(names.channelId, `keyed-${word}`) }),
  createProgram: ({ names }, word) => ({
    params: { linear_channel_id: names.secondChannelId },
    body: aPod({ first: 20, second: 21 }[word] ?? 22),
  }),
  replaceProgram: ({ names }, word) => ({
    params: { linear_channel_id: names.secondChannelId, program_id: names.programId },
    body: aPod({ first: 24, second: 25 }[word] ?? 26),
  }),
  putPlan: ({ names }, word) => ({
    params: { linear_channel_id: names.secondChannelId },
    body: { time_zone: 'UTC', horizon_days: { first: 3, second: 4 }[word] ?? 5 },
  }),
  startLinearChannel: ({ names }, word) => ({
    params: { linear_channel_id: word === 'first' ? names.channelId : names.secondChannelId },
  }),
  stopLinearChannel: ({ names }, word) => ({
    params: { linear_channel_id: word === 'first' ? names.channelId : names.secondChannelId },
    body: { immediate: true },
  }),

  // Each channel of a call has its own result and key: tested in modules/overrides and by the proof bulk-override.
  overrideChannels: 'tried elsewhere',
  rescueChannels: 'tried elsewhere',
  returnChannelsToSchedule: 'tried elsewhere',
  activateLiveSource: ({ names }, word) => ({
    params: { live_source_id: word === 'first' ? names.secondSourceId : names.thirdSourceId },
  }),
  deactivateLiveSource: ({ names }, word) => ({
    params: { live_source_id: word === 'first' ? names.secondSourceId : names.thirdSourceId },
  }),
  // They need a source that is received.
  insertAdBreak: 'tried elsewhere',
  endAdBreak: 'tried elsewhere',
  createWebhook: (_, word) => ({ body: { url: `https://hooks.example/${word}` } }),
  rotateWebhookSecret: ({ names }, word) => ({
    params: { webhook_id: names.secondWebhookId },
    body: { previous_valid_s: { first: 1, second: 2 }[word] ?? 3 },
  }),
  testWebhook: ({ names }, word) => ({
    params: { webhook_id: word === 'first' ? names.secondWebhookId : names.thirdWebhookId },
  }),
  replayWebhook: ({ names }, word) => ({
    params: { webhook_id: word === 'first' ? names.secondWebhookId : names.thirdWebhookId },
    body: { from: '2026-03-01T18:00:00.000Z' },
  }),
  createAlertRecipient: (_, word) => ({ body: { address: `${word}@desk.example` } }),
  testAlertRecipient: ({ names }, word) => ({
    params: { alert_recipient_id: word === 'first' ? names.secondRecipientId : names.thirdRecipientId },
  }),
  createLiveSource: (_, word) => ({
    body: {
      name: `Keyed ${word}`,
      type: 'HLS_PULL',
      metadata: { input_url: 'https://live.example/keyed.m3u8' },
    },
  }),
}
