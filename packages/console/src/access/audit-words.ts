import { roleText, roleWords } from '../session/role-words.ts'
import type { AuditEntry } from '../shared/wire-types.ts'

const actions: Readonly<Record<string, string>> = {
  'channel.override': 'cut the channel to a live source',
  'channel.rescue': 'put the channel on its rescue slate',
  'channel.return': 'returned the channel to its schedule',
  'live_source.activate': 'activated the live source',
  'live_source.deactivate': 'deactivated the live source',
  'ad_break.insert': 'began an ad break',
  'ad_break.end': 'ended an ad break',
  'audience.import': 'counted viewers from access logs',
  'app_key.revoke': 'revoked the app key',
  'webhook.rotate_secret': 'gave the webhook a new secret',
  'webhook.replay': 'sent events to the webhook again',
  'webhook.test': 'sent a test delivery to the webhook',
  'playlist.set_videos': 'set the videos of the playlist',
  'session.end_reused': 'ended a session whose credential was used twice',
  'schedule_request.create': 'handed over a program',
  'schedule_request.replace': 'handed over a program again',
}

const nouns: Readonly<Record<string, string>> = {
  account: 'the account',
  alert_recipient: 'the recipient of alerts',
  app_key: 'an app key',
  brand: 'the brand',
  channel: 'the channel',
  linear_channel: 'the channel',
  live_source: 'the live source',
  output: 'an output',
  plan: 'the plan',
  playlist: 'the playlist',
  program: 'the program',
  series: 'the series',
  user: 'the user',
  video: 'the video',
  webhook: 'the webhook',
}

const verbs: Readonly<Record<string, string>> = {
  create: 'created',
  change: 'changed',
  delete: 'deleted',
  remove: 'removed',
  put: 'set',
  set: 'set',
  cancel: 'cancelled',
}

/** What was done, for a person: "changed the channel". */
export function actionText(action: string): string {
  const known = actions[action]
  if (known !== undefined) return known
  const [noun = '', verb = ''] = action.split('.')
  return `${verbs[verb] ?? verb.replaceAll('_', ' ')} ${nouns[noun] ?? noun.replaceAll('_', ' ')}`
}

const names = [
  'title',
  'name',
  'email',
  'app_name',
  'distributor',
  'description',
  'url',
  'program_title',
] as const

/** What it was done to, by the name that it has in the entry. */
export function subjectName({ before, after }: AuditEntry): string | undefined {
  for (const record of [after, before]) {
    for (const field of names) {
      const value = fieldsOf(record)[field]
      if (typeof value === 'string' && value !== '') return value
    }
  }
  return undefined
}

export interface FieldChange {
  readonly field: string
  readonly before: string
  readonly after: string
}

/** Fields that differ; times of the record itself are left out, they always do. */
export function changesOf({ before, after }: AuditEntry): readonly FieldChange[] {
  const [old, present] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...Object.keys(old), ...Object.keys(present)])]
    .filter((field) => !field.startsWith('last_') && textOf(old[field]) !== textOf(present[field]))
    .map((field) => ({
      field: field.replaceAll('_', ' '),
      before: textOf(old[field]),
      after: textOf(present[field]),
    }))
}

function fieldsOf(record: unknown): Readonly<Record<string, unknown>> {
  return typeof record === 'object' && record !== null ? (record as Readonly<Record<string, unknown>>) : {}
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(textOf).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string') return JSON.stringify(value)
  if (value in roleWords) return roleText(value)
  return IS_ENUM.test(value) ? inWords(value) : value
}

const IS_ENUM = /^[A-Z]{2,}(?:_[A-Z]+)*$/

/** ON_AIR is "On air". */
const inWords = (value: string): string => value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ')
