import { openOwner } from '@continuity/server/owner'
import type { World } from './command.ts'
import type { OwnerActions } from './owner-actions.ts'
import { requireSetting } from './require-setting.ts'

/** The owner's actions on the database that DATABASE_OWNER_URL names. */
export const openActions = ({ env, nowMs }: Pick<World, 'env' | 'nowMs'>): OwnerActions =>
  openOwner(requireSetting('databaseOwnerUrl', env), nowMs)
