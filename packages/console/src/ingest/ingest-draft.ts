import type { BodyOf, Operations } from '@continuity/contract'

export type IngestBody = BodyOf<Operations['scheduleProgram']>

/** The fields of an item that have a field of the form. Others of a file are kept and sent as they are. */
export interface DraftItem {
  readonly key: string
  readonly type: 'VIDEO' | 'AD_POD'
  readonly duration: string
  readonly video_source_id: string
  readonly title: string
  readonly video_url: string
  readonly image_url: string
  readonly description: string
  readonly others: Readonly<Record<string, unknown>>
}

/** A program as it is typed: everything is text until it is sent. */
export interface IngestDraft {
  readonly linear_channel_id: string
  readonly source_id: string
  readonly brand_id: string
  readonly program_title: string
  readonly program_description: string
  /** 2026-11-17T20:00:00, in UTC. */
  readonly start: string
  /** Minutes. */
  readonly minutes: string
  readonly items: readonly DraftItem[]
}

export const emptyDraft: IngestDraft = {
  linear_channel_id: '',
  source_id: '',
  brand_id: '',
  program_title: '',
  program_description: '',
  start: '',
  minutes: '',
  items: [],
}

export const emptyItem = (type: DraftItem['type']): DraftItem => ({
  key: crypto.randomUUID(),
  type,
  duration: '',
  video_source_id: '',
  title: '',
  video_url: '',
  image_url: '',
  description: '',
  others: {},
})

const texts = ['video_source_id', 'title', 'video_url', 'image_url', 'description'] as const

/** An item of a file; what is not of the expected type is for the service to reject. */
export function itemOf(value: Readonly<Record<string, unknown>>): DraftItem {
  const item = emptyItem(value['type'] === 'AD_POD' ? 'AD_POD' : 'VIDEO')
  const { type: _type, duration, ...rest } = value
  const others = Object.entries(rest).filter(([name]) => !(texts as readonly string[]).includes(name))
  return {
    ...item,
    ...Object.fromEntries(texts.map((name) => [name, textOf(value[name])])),
    duration: textOf(duration),
    others: Object.fromEntries(others),
  }
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

const MINUTE_MS = 60_000

/** The body to send. Fields that are empty and may be left out are. */
export function bodyOf(draft: IngestDraft): IngestBody {
  const { linear_channel_id, source_id, program_title } = draft
  const body = {
    linear_channel_id,
    source_id,
    ...given({ brand_id: draft.brand_id }),
    program_title,
    ...given({ program_description: draft.program_description }),
    videos: draft.items.map(wireItem),
    schedule: {
      start_time: startOf(draft)?.toISOString() ?? draft.start,
      duration_ms: Math.round(Number(draft.minutes) * MINUTE_MS),
    },
  }
  return body as IngestBody
}

function wireItem(item: DraftItem): object {
  const duration = Number(item.duration)
  if (item.type === 'AD_POD') return { type: 'AD_POD', duration }
  const { video_source_id, title, video_url, image_url, description } = item
  return {
    type: 'VIDEO',
    video_source_id,
    title,
    video_url,
    duration,
    ...given({ image_url, description }),
    ...item.others,
  }
}

const given = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

export function startOf({ start }: Pick<IngestDraft, 'start'>): Date | undefined {
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(start)
  const ms = isWhole ? Date.parse(`${start}Z`) : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms)
}
