import type { Client } from '@continuity/client'
import { type Command, command } from '../terminal/command.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { fields, table } from '../terminal/table.ts'
import { exportCommand } from './export-command.ts'
import { importCommand } from './import-command.ts'

const listPrograms = command({
  name: 'schedule list',
  about: 'List the programs of a channel: what aired, is on air and is scheduled',
  operand: 'CHANNEL_ID',
  options: {
    ...sessionOptions,
    from: { value: 'TIME', about: 'first time, such as 2026-03-01T18:00:00Z; default now' },
    to: { value: 'TIME', about: 'last time, at most 8 days later; default a day later' },
  },
  run: async ({ operand, options, world }) => {
    const { client } = await openSession(options, world, 'schedule list')
    const programs = await readAll(client, operand, {
      ...(options.from === undefined ? {} : { from: options.from }),
      ...(options.to === undefined ? {} : { to: options.to }),
    })
    if (programs.length === 0) return { text: 'The channel has no programs in this time.', json: [] }
    const rows = programs.map((it) => [
      it.start_time,
      it.end_time ?? '',
      it.state,
      it.origin.type,
      it.title,
      it.program_id,
      it.warnings.length === 0 ? '' : `${it.warnings.length} warnings`,
    ])
    return {
      text: table(['start', 'end', 'state', 'origin', 'title', 'id', ''], rows),
      json: programs,
    }
  },
})

type Query = NonNullable<Parameters<Client['listPrograms']>[0]['query']>
type Program = Awaited<ReturnType<Client['listPrograms']>>['hits'][number]

async function readAll(client: Client, channelId: string, query: Query): Promise<readonly Program[]> {
  const programs: Program[] = []
  const params = { linear_channel_id: channelId }
  for (let mark: string | null = '0'; mark !== null; ) {
    const paged: Query = { ...query, page_size: 50, page_offset: mark }
    const { hits, page } = await client.listPrograms({ params, query: paged })
    programs.push(...hits)
    mark = page.page_mark
  }
  return programs
}

const showNow = command({
  name: 'now',
  about: 'Show what a channel has on air, what is next, and the time that is left',
  operand: 'CHANNEL_ID',
  options: sessionOptions,
  run: async ({ operand, options, world }) => {
    const { client } = await openSession(options, world, 'now')
    const now = await client.readOnAirNow({ params: { linear_channel_id: operand } })
    const { program, component, next } = now
    const text = fields([
      ['program', program === null ? 'none' : `${program.title}, ${leftText(program.time_left_ms)}`],
      [
        'component',
        component === null
          ? 'none, the channel is off air'
          : `${component.title ?? component.type}, ${leftText(component.time_left_ms)}`,
      ],
      ['next', next === null ? 'none' : `${next.title} at ${next.start_time}`],
    ])
    return { text, json: now }
  },
})

/** Whole seconds, as minutes and seconds. */
function leftText(leftMs: number | null): string {
  if (leftMs === null) return 'without an end'
  const seconds = Math.ceil(leftMs / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`
}

export const scheduleCommands: readonly Command[] = [listPrograms, exportCommand, importCommand, showNow]
