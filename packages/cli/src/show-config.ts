import { describeConfig, settings } from '@continuity/server/owner'
import { type Command, command } from './command.ts'
import { table } from './table.ts'

/** The settings of every process. Secrets are hidden, in JSON too. */
const config = command({
  name: 'config',
  about: 'The settings of each process: what they are for and what they are now',
  options: {},
  run: ({ world }) => {
    const processes = Object.entries(settings).map(([process, list]) => ({
      process,
      settings: describeConfig(list, world.env),
    }))
    const sections = processes.map(({ process, settings: list }) => {
      const rows = list.map(({ name, value, fallback, about }) => [name, value, fallback, about])
      return `${process}\n${table(['setting', 'now', 'default', 'for'], rows)}`
    })
    return { text: sections.join('\n\n'), json: processes }
  },
})

export const configCommands: readonly Command[] = [config]
