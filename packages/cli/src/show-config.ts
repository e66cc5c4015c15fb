import { type Command, command } from './terminal/command.ts'
import { loadOwner } from './terminal/load-owner.ts'
import { table } from './terminal/table.ts'

/** The settings of every process. Secrets are hidden, in JSON too. */
const config = command({
  name: 'config',
  about: 'Print the settings of each process, with their current values and their purpose',
  options: {},
  run: async ({ world }) => {
    const { describeConfig, settings } = await loadOwner()
    const processes = Object.entries(settings).map(([process, list]) => ({
      process,
      settings: describeConfig(list, world.env),
    }))
    const sections = processes.map(({ process, settings: list }) => {
      const rows = list.map(({ name, value, fallback, about }) => [name, value, fallback, about])
      return `${process}\n${table(['setting', 'value', 'default', 'purpose'], rows)}`
    })
    return { text: sections.join('\n\n'), json: processes }
  },
})

export const configCommands: readonly Command[] = [config]
