import { ownAccountCommands } from './account/commands.ts'
import { accountCommands } from './accounts.ts'
import { alertCommands } from './alerts/commands.ts'
import { appKeyCommands } from './app-keys.ts'
import { audienceCommands } from './audience/commands.ts'
import { auditCommands } from './audit/command.ts'
import { brandCommands } from './brands/commands.ts'
import { catalogCommands } from './catalog/commands.ts'
import { channelCommands } from './channels/commands.ts'
import { completionCommand } from './completion/command.ts'
import { eventCommands } from './events/command.ts'
import { feedCommands } from './feed.ts'
import { ingestCommands } from './ingest/commands.ts'
import { keyCommands } from './keys.ts'
import { liveCommands } from './live/commands.ts'
import { migrateCommands } from './migrate.ts'
import { outputCommands } from './outputs/commands.ts'
import { planCommands } from './plan/commands.ts'
import { playlistCommands } from './playlists/commands.ts'
import { reportCommands } from './reports/command.ts'
import { scheduleCommands } from './schedule/commands.ts'
import { seriesCommands } from './series/commands.ts'
import { configCommands } from './show-config.ts'
import type { Command } from './terminal/command.ts'
import { testSourceCommands } from './testsource/command.ts'
import { userCommands } from './users.ts'
import { videoCommands } from './videos/commands.ts'
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
  ...ownAccountCommands,
  ...catalogCommands,
  ...brandCommands,
  ...videoCommands,
  ...seriesCommands,
  ...playlistCommands,
  ...channelCommands,
  ...outputCommands,
  ...scheduleCommands,
  ...planCommands,
  ...liveCommands,
  ...ingestCommands,
  ...eventCommands,
  ...webhookCommands,
  ...reportCommands,
  ...alertCommands,
  ...auditCommands,
  ...audienceCommands,
  ...testSourceCommands,
  completionCommand(() => commandList),
]
