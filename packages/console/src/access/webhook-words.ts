import { eventKinds } from '@continuity/contract'
import type { Tone } from '../shared/status-badge.tsx'
import type { Delivery, Webhook } from '../shared/wire-types.ts'

const groupWords: Readonly<Record<string, string>> = {
  channel: 'Channels',
  output: 'Outputs',
  override: 'Switches to live sources and slates',
  program: 'Programs',
  plan: 'Plans',
  request: 'Requests of partners',
  item: 'Items of requests',
  live_source: 'Live sources',
  ad_break: 'Ad breaks',
  alert: 'Alerts',
  user: 'Users',
}

export const EVERYTHING = '*'

/** The patterns that can be chosen: all kinds that begin alike. */
export const kindGroups: readonly { readonly pattern: string; readonly title: string }[] = [
  ...new Set(Object.keys(eventKinds).map((kind) => kind.split('.')[0]!)),
].map((group) => ({ pattern: `${group}.*`, title: groupWords[group] ?? group }))

/** "Channels, Alerts"; a single kind is shown as it is sent. */
export const kindsText = (kinds: readonly string[]): string =>
  kinds.includes(EVERYTHING)
    ? 'Everything'
    : kinds.map((kind) => kindGroups.find(({ pattern }) => pattern === kind)?.title ?? kind).join(', ')

export function webhookState({ status, status_reason, failing_since }: Webhook): {
  text: string
  tone: Tone
} {
  if (status === 'PAUSED') {
    const reason = { USER: 'Paused', GONE: 'Paused: address is gone', FAILING: 'Paused: it failed for a day' }
    return { text: reason[status_reason ?? 'USER'], tone: status_reason === 'USER' ? 'quiet' : 'bad' }
  }
  return failing_since === null ? { text: 'Active', tone: 'good' } : { text: 'Failing', tone: 'bad' }
}

export const deliveryWords: Readonly<Record<Delivery['state'], { text: string; tone: Tone }>> = {
  PENDING: { text: 'Waiting', tone: 'busy' },
  DELIVERED: { text: 'Delivered', tone: 'good' },
  FAILED: { text: 'Given up', tone: 'bad' },
}

const errors: Readonly<Record<string, string>> = {
  'address.unresolvable': 'Its host name cannot be resolved',
  'address.forbidden': 'Its address is not on the public internet',
  'fetch.broken': 'The connection failed',
  'fetch.timeout': 'It did not respond in time',
  'fetch.too_slow': 'It responded too slowly',
  'fetch.too_large': 'Its response is too large',
  'fetch.encoded': 'Its response is encoded in an unknown way',
}

export const errorText = (code: string): string => errors[code] ?? `No response (${code})`
