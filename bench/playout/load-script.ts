import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Load } from '../engine/load.ts'

/**
 * A load that asks for each path in turn, so that whatever is asked for was asked for longest ago. Requests are written
 * out before the first is sent.
 */
export async function writeLoad(folder: string, name: string, paths: readonly string[]): Promise<Load> {
  const script = join(folder, `${name}.lua`)
  await writeFile(script, printScript(paths))
  return { path: '/', script }
}

/** As players ask: with the session that the multivariant playlist gave them. */
export const asViewers = (paths: readonly string[]): readonly string[] =>
  paths.map((path, at) => `${path}?sid=01957c5e-7a3b-7def-8abc-${at.toString(16).padStart(12, '0')}`)

const printScript = (paths: readonly string[]): string => `local paths = {
${paths.map((path) => `  "${path}",`).join('\n')}
}
local requests = {}
local at = 0

function init()
  for i, path in ipairs(paths) do requests[i] = wrk.format("GET", path) end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
`
