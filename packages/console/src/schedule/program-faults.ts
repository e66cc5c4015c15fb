import { isProblem } from '@continuity/client'
import { commandProblemText } from '../shared/problem-text.ts'
import type { ZoneClock } from './zone-clock.ts'

/** What is wrong with a program, at the field where it can be mended; `form` where there is none. */
export interface ProgramFault {
  readonly field: 'title' | 'start' | 'end' | 'items' | 'form'
  /** Of an item. */
  readonly item: number | undefined
  /** The field of an item; undefined for the item as a whole. */
  readonly point?: 'in' | 'out'
  readonly text: string
}

const fields: Readonly<Record<string, ProgramFault['field']>> = {
  'schedule.overlap': 'start',
  'schedule.too_late': 'start',
  'schedule.too_long': 'end',
  'program.range_invalid': 'end',
  'program.no_items': 'items',
  'program.too_many_items': 'items',
  'playlist.unknown': 'items',
  'video.unknown': 'items',
  'video.not_playable': 'items',
  'program.item_range_invalid': 'items',
}

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

export function faultsOf(error: unknown, clock: ZoneClock): readonly ProgramFault[] {
  const at = (field: ProgramFault['field'], text: string, item?: number): ProgramFault => ({
    field,
    item,
    text,
  })
  if (!isProblem(error)) return [at('form', commandProblemText(error))]
  if (isProblem(error, 'schedule.overlap')) {
    const [from, to] = (error.detail.match(ISO_TIME) ?? []).map((time) => Date.parse(time))
    const taken =
      from === undefined || to === undefined
        ? 'in this time'
        : `on ${clock.date(from)}, ${clock.span(from, to)}`
    return [
      at('start', `The channel has another program ${taken}. Choose another time, or remove that one first.`),
    ]
  }
  if (isProblem(error, 'schedule.too_late')) {
    return [at('start', 'A program has to start at least 60 seconds from now.')]
  }
  if (isProblem(error, 'program.range_invalid')) {
    return [at('end', 'The end has to be after the start, by 1 second to 7 days.')]
  }
  if (isProblem(error, 'program.item_range_invalid')) {
    const text = 'A part begins before it ends, and before the video ends.'
    return error.errors.map(({ pointer }) => ({
      field: 'items',
      item: Number(pointer.split('/')[2]),
      point: 'in',
      text,
    }))
  }
  if (error.errors.length > 0) {
    return error.errors.map(({ pointer, message }) => {
      const item = /^\/items\/(\d+)/.exec(pointer)?.[1]
      const field = item === undefined ? fieldOf(pointer) : 'items'
      return at(field, sentence(message), item === undefined ? undefined : Number(item))
    })
  }
  const item = /^items\/(\d+)/.exec(error.detail)?.[1]
  return [
    at(
      fields[error.code] ?? 'form',
      commandProblemText(error),
      item === undefined ? undefined : Number(item),
    ),
  ]
}

function fieldOf(pointer: string): ProgramFault['field'] {
  if (pointer.startsWith('/title')) return 'title'
  if (pointer.startsWith('/start_time')) return 'start'
  if (pointer.startsWith('/end_time')) return 'end'
  return pointer.startsWith('/items') ? 'items' : 'form'
}

const sentence = (message: string): string => `It ${message}.`
