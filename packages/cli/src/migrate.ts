import { type Command, ownerCommand } from './terminal/command.ts'

const migrate = ownerCommand({
  name: 'migrate',
  about: 'Migrate the database schema to this release',
  options: { check: { about: 'change nothing; fail if a migration is missing' } },
  act: async (actions, { options, report }) => {
    if (options.check) {
      const pending = await actions.findPendingMigrations()
      if (pending.length === 0) return { text: 'The schema is up to date.', json: { pending } }
      const text = `Missing:\n${pending.map((name) => `  ${name}`).join('\n')}`
      return { text, json: { pending }, isFailure: true }
    }
    const applied = await actions.migrate((migration) => report(`applied ${migration}`))
    return { text: applied.length === 0 ? 'The schema is up to date.' : '', json: { applied } }
  },
})

export const migrateCommands: readonly Command[] = [migrate]
