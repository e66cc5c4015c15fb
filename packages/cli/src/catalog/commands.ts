import { type Command, command } from '../terminal/command.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { table } from '../terminal/table.ts'
import { exportCommand } from './export-command.ts'
import { importCommand } from './import-command.ts'

const NAME = 'catalog find'

/** As many as fit on a screen. */
const SHOWN = 20

/** For ids, which schedule files and channels refer to. */
const findCommand = command({
  name: NAME,
  about: `Find videos by words of their texts, the best ${SHOWN} first; "in quotes" as a phrase`,
  operand: 'TEXT',
  options: sessionOptions,
  run: async ({ operand: query, options, world }) => {
    const { client } = await openSession(options, world, NAME)
    const found = await client.searchVideos({ query: { page_size: SHOWN }, body: { query } })
    const { hits, total } = found
    if (hits.length === 0) return { text: 'No video matches.', json: found }
    const rows = hits.map((it) => [it.video_id, it.status, lengthText(it.duration), it.title])
    const more = total > hits.length ? `\n  and ${total - hits.length} more` : ''
    return { text: `${table(['id', 'status', 'length', 'title'], rows)}${more}`, json: found }
  },
})

/** Hours, minutes and seconds. */
function lengthText(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

export const catalogCommands: readonly Command[] = [importCommand, exportCommand, findCommand]
