import type { AuditEntry } from '../shared/wire-types.ts'

const words: Readonly<Record<string, string>> = {
  'channel.rescue': 'put it on its rescue slate',
  'channel.return': 'returned it to its schedule',
  'channel.create': 'created it',
  'output.create': 'added an output',
  'output.change': 'changed an output',
  'output.delete': 'removed an output',
}

/** A line of text for an entry; undefined if it repeats another. */
export function historyText({ action, before, after }: AuditEntry): string | undefined {
  if (action === 'channel.override') return `cut it to ${textIn(after, 'title') ?? 'a live source'}`
  if (action !== 'channel.change') return words[action] ?? action
  const status = textIn(after, 'status')
  if (status !== undefined && status !== textIn(before, 'status')) return `set it to ${status}`
  const isOverride = textIn(before, OVERRIDE) !== textIn(after, OVERRIDE)
  return isOverride ? undefined : 'changed its settings'
}

/** Each change of it has an entry of its own: channel.override, channel.rescue or channel.return. */
const OVERRIDE = 'linear_channel_override_status'

function textIn(record: unknown, field: string): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const value = (record as Readonly<Record<string, unknown>>)[field]
  return typeof value === 'string' ? value : undefined
}
