import { accountCommands } from './accounts.ts'
import { alertCommands } from './alerts/commands.ts'
import { appKeyCommands } from './app-keys.ts'
import { audienceCommands } from './audience/commands.ts'
import { catalogCommands } from './catalog/commands.ts'
import { channelCommands } from './channels/commands.ts'
import { eventCommands } from './events/command.ts'
import { feedCommands } from './feed.ts'
import { ingestCommands } from './ingest/commands.ts'
import { keyCommands } from './keys.ts'
import { liveCommands } from './live/commands.ts'
import { migrateCommands } from './migrate.ts'
import { planCommands } from './plan/commands.ts'
import { reportCommands } from './reports/command.ts'
import { scheduleCommands } from './schedule/commands.ts'
import { configCommands } from './show-config.ts'
import type { Command } from './terminal/command.ts'
import { testSourceCommands } from './testsource/command.ts'
import { userCommands } from './users.ts'
import { webhookCommands } from './webhooks/commands.ts'

/** In the order of the help: commands that set up a platform come first. */
export const commandList: readonly Command[] = [
  ...migrateCommands,
  ...accountCommands,
  ...userCommands,
  ...appKeyCommands,
  ...keyCommands,
  ...feedCommands,
  ...configCommands,
  ...catalogCommands,
  ...channelCommands,
  ...scheduleCommands,
  ...planCommands,
  ...liveCommands,
  ...ingestCommands,
  ...eventCommands,
  ...webhookCommands,
  ...reportCommands,
  ...alertCommands,
  ...audienceCommands,
  ...testSourceCommands,
]
