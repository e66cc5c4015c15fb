import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pollUntil } from '@continuity/dev/waiting'
import type { SessionSystem } from './session-system.ts'

export interface LoggedSecrets {
  readonly lines: number
  readonly sought: number
  /** Files that contain a secret. The secret itself is not printed. */
  readonly found: readonly string[]
}

/** The prefixes of every access credential and every password hash. */
const PREFIXES = [Buffer.from('{"alg":"EdDSA"').toString('base64url'), '$argon2']

/** Searches the logs of all processes of a system, its servers included, for secrets. */
export async function findLoggedSecrets(
  { system, apis }: SessionSystem,
  secrets: readonly string[],
): Promise<LoggedSecrets> {
  const ids = await Promise.all(apis.map(sendLastRequest))
  const read = async () => {
    const paths = globSync('**/logs/*.log', { cwd: system.home })
    const texts = await Promise.all(paths.map((path) => readFile(join(system.home, path), 'utf8')))
    const all = texts.join('\n')
    return ids.every((id) => all.includes(id)) ? { paths, texts } : undefined
  }
  const logs = await pollUntil(read, 10_000)
  if (logs === undefined) throw new Error('The last requests are in no log.')
  const sought = [...new Set([...PREFIXES, ...secrets])]
  return {
    sought: sought.length,
    lines: logs.texts.reduce((sum, text) => sum + text.split('\n').length, 0),
    found: logs.paths.filter((_, i) => sought.some((secret) => logs.texts[i]!.includes(secret))),
  }
}

/** Once it is in the log, so is all that came before. */
async function sendLastRequest(api: string, index: number): Promise<string> {
  const id = `last-request-${index}`
  await fetch(`${api}/livez`, { headers: { 'x-request-id': id } })
  return id
}
