/** The parts of the server for the owner's commands and the project's tools. */
export { apiSettings } from '../app/api-settings.ts'
export { remedyOf } from '../app/error-remedies.ts'
export { errorTable } from '../app/error-table.ts'
export { migrateSchema } from '../app/migrate-schema.ts'
export { type NatsRole, type NatsUser, printNatsAccounts } from '../app/nats-accounts.ts'
export { ownerSettings } from '../app/owner-settings.ts'
export { credentialKeys } from '../modules/auth/index.ts'
export { describeConfig, readConfig, type SettingDescription } from '../platform/config/read-config.ts'
export { feedKeys } from '../platform/feed/feed-keys.ts'
export type { KeyState } from '../platform/signing-keys/rotation.ts'
export type { SigningKeys } from '../platform/signing-keys/signing-keys.ts'
export { openOwner } from './open-owner.ts'

import { apiSettings } from '../app/api-settings.ts'
import { ownerSettings } from '../app/owner-settings.ts'
import { playoutSettings } from '../app/playout-settings.ts'
import { receiverSettings } from '../app/receiver-settings.ts'
import { workerSettings } from '../app/worker-settings.ts'

/** The settings of each process, and of the owner's commands. */
export const settings = {
  api: apiSettings,
  worker: workerSettings,
  playout: playoutSettings,
  receiver: receiverSettings,
  owner: ownerSettings,
} as const
