import { openOwner } from '@continuity/server/owner'
import type { World } from './terminal/command.ts'
import type { OwnerActions } from './terminal/owner-actions.ts'
import { requireSetting } from './terminal/require-setting.ts'

/** The owner's actions on the database of DATABASE_OWNER_URL. */
export const openActions = ({ env, nowMs }: Pick<World, 'env' | 'nowMs'>): OwnerActions =>
  openOwner(requireSetting('databaseOwnerUrl', env), nowMs)
