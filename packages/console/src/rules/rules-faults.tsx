import { isProblem } from '@continuity/client'
import type { Fault } from '@continuity/core/rules/read-fields'
import { readPlanRules } from '@continuity/core/rules/read-plan-rules'
import { createContext, use } from 'react'
import type { Rules } from './rules-types.ts'

export const FaultContext = createContext<readonly Fault[]>([])

/** What is wrong with a field; fields below it count where they have no field of their own. */
export function useFault(pointer: string, { withBelow = false } = {}): string | undefined {
  const faults = use(FaultContext)
  const found = faults.find(
    (fault) => fault.pointer === pointer || (withBelow && fault.pointer.startsWith(`${pointer}/`)),
  )
  return found && faultText(found)
}

/** The checks of the service, made as one types; the service knows also what exists. */
export function findFaults(rules: unknown, error: unknown): readonly Fault[] {
  const result = readPlanRules(rules)
  if (result.kind === 'rejected') return result.faults
  if (!isProblem(error, 'plan.invalid')) return []
  return error.errors.map(({ pointer, message }) => ({ pointer: pointer.replace(/^\/rules/, ''), message }))
}

export function faultText({ pointer, message }: Fault): string {
  if (pointer.endsWith('/series_ids')) return 'Choose at least one series.'
  if (pointer.endsWith('/content') && message.startsWith('must have exactly one'))
    return 'Choose what is shown.'
  if (pointer.endsWith('/content')) return 'This order needs another block.'
  if (pointer.endsWith('/times')) return 'Add at least one time.'
  if (pointer.endsWith('/days')) return 'Choose at least one day.'
  if (pointer.endsWith('/id') && message.startsWith('must be unique')) {
    return 'Another block has this name, or it is “default”, which is taken.'
  }
  if (/^\/availability\/\d+$/.test(pointer)) {
    return message.startsWith('must have exactly one')
      ? 'Choose what it limits.'
      : 'Give the time from which it is available, until which, or both.'
  }
  if (/^\/availability\/\d+\/(from|until)$/.test(pointer)) {
    return message === 'must be after from'
      ? 'It has to be after the time from which it is available.'
      : 'Give a day, and a time such as 20:00.'
  }
  if (message === 'is required') return 'This is required.'
  return `It ${message}.`
}

const words: Readonly<Record<string, string>> = {
  blocks: 'Block',
  default: 'Default',
  times: 'time',
  content: 'what is shown',
  series_ids: 'series',
  playlist_id: 'playlist',
  block_id: 'other block',
  filter: 'filter',
  separation: 'Separation',
  ratings: 'Ratings',
  availability: 'Availability',
  breaks: 'ad breaks',
  time_zone: 'Time zone',
  horizon_days: 'Days ahead',
  id: 'name',
}

/** Where it is, for a reader: Block “prime time”, time 2, from. */
export function faultPlace(pointer: string, rules: Rules): string {
  const parts = pointer.split('/').slice(1)
  const named: string[] = []
  for (let at = 0; at < parts.length; at += 1) {
    const word = words[parts[at]!] ?? parts[at]!.replaceAll('_', ' ')
    const index = Number(parts[at + 1])
    if (parts[at + 1] === undefined || Number.isNaN(index)) named.push(word)
    else {
      at += 1
      const block = word === 'Block' ? rules.blocks?.[index]?.id : undefined
      named.push(block ? `${word} “${block}”` : `${word} ${index + 1}`)
    }
  }
  return named.join(', ') || 'The document'
}
