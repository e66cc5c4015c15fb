import { isProblem } from '@continuity/client'
import { commandProblemText } from '../shared/problem-text.ts'
import { readableTimes } from '../shared/times.ts'
import type { Channel } from '../shared/wire-types.ts'
import { type DraftItem, type IngestDraft, startOf } from './ingest-draft.ts'

/** What is wrong, by the pointer of the body that the field is sent as; empty for the whole. */
export interface IngestFault {
  readonly pointer: string
  readonly text: string
}

const NEEDED = 'This is required.'

/** What can be found without the service. While the channels are not read yet, any of them may exist. */
export function findFaults(draft: IngestDraft, channels: readonly Channel[]): readonly IngestFault[] {
  const faults: IngestFault[] = []
  const need = (isMissing: boolean, pointer: string, text = NEEDED) => {
    if (isMissing) faults.push({ pointer, text })
  }
  need(draft.linear_channel_id === '', '/linear_channel_id', 'Choose a channel.')
  const isKnown = channels.some((channel) => channel.linear_channel_id === draft.linear_channel_id)
  need(
    draft.linear_channel_id !== '' && channels.length > 0 && !isKnown,
    '/linear_channel_id',
    'The channel of the file does not exist. Choose another one.',
  )
  need(draft.source_id.trim() === '', '/source_id')
  need(draft.program_title.trim() === '', '/program_title')
  need(startOf(draft) === undefined, '/schedule/start_time', 'Give a day, and a time such as 20:00.')
  need(!(Number(draft.minutes) > 0), '/schedule/duration_ms', 'Give a number of minutes.')
  need(draft.items.length === 0, '/videos', 'Add at least one video.')
  for (const [at, item] of draft.items.entries()) {
    for (const { name, text } of itemFaults(item)) faults.push({ pointer: `/videos/${at}/${name}`, text })
  }
  return faults
}

function* itemFaults(item: DraftItem): Generator<{ readonly name: string; readonly text: string }> {
  if (!/^\d+$/.test(item.duration.trim()) || Number(item.duration) === 0) {
    yield { name: 'duration', text: 'Give whole seconds.' }
  }
  if (item.type === 'AD_POD') return
  if (item.video_source_id.trim() === '') yield { name: 'video_source_id', text: NEEDED }
  if (item.title.trim() === '') yield { name: 'title', text: NEEDED }
  for (const name of ['video_url', 'image_url'] as const) {
    const isEmpty = item[name].trim() === ''
    if (isEmpty && name === 'video_url') yield { name, text: NEEDED }
    if (!isEmpty && !/^https?:\/\/./.test(item[name])) {
      yield { name, text: 'An address begins with https:// or http://.' }
    }
  }
}

/** Where the service found it: at a field where it names one, else where it can be mended. */
export function faultsOf(error: unknown, nowMs: number): readonly IngestFault[] {
  if (!isProblem(error)) return [{ pointer: '', text: commandProblemText(error) }]
  if (isProblem(error, 'schedule.too_late')) {
    return [{ pointer: '/schedule/start_time', text: 'A program has to start at least 60 seconds from now.' }]
  }
  const text = readableTimes(commandProblemText(error), nowMs)
  if (isProblem(error, 'schedule.overlap')) return [{ pointer: '/schedule/start_time', text }]
  if (isProblem(error, 'schedule.too_long')) return [{ pointer: '/schedule/duration_ms', text }]
  if (isProblem(error, 'channel.not_found')) return [{ pointer: '/linear_channel_id', text }]
  if (error.errors.length === 0) return [{ pointer: '', text }]
  return error.errors.map(({ pointer, message }) => ({ pointer, text: `It ${message}.` }))
}
