import type { ConfigResult } from '../platform/config/read-config.ts'
import { findMailFaults, readPassword } from '../platform/mail/mail-settings.ts'
import { readMediaConfig } from './read-media-config.ts'
import { workerSettings } from './worker-settings.ts'

/** The settings of a worker, checked individually and in combination, with the file that one of them names. */
export async function readWorkerConfig(
  env: Readonly<Record<string, string | undefined>>,
): Promise<ConfigResult<typeof workerSettings>> {
  const result = readMediaConfig(workerSettings, env)
  if (result.kind === 'rejected') return result
  const faults = [...findMailFaults(result.config)]
  const { smtpHost, smtpPasswordFile: file } = result.config
  if (smtpHost !== '' && file !== '')
    await readPassword(file).catch((error: NodeJS.ErrnoException) =>
      faults.push(
        error.code === undefined
          ? error.message
          : `SMTP_PASSWORD_FILE ${file} cannot be read (${error.code})`,
      ),
    )
  return faults.length === 0 ? result : { kind: 'rejected', faults }
}
