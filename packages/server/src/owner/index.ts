/** What the platform owner's commands and the project's tools may use of the server. */
export { apiSettings } from '../app/api-settings.ts'
export { errorTable } from '../app/error-table.ts'
export { describeConfig, type SettingDescription } from '../platform/config/read-config.ts'

import { apiSettings } from '../app/api-settings.ts'

/** The settings of each process. */
export const settings = { api: apiSettings } as const
