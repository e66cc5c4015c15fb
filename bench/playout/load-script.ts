import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Load } from '../engine/load.ts'

/**
 * A load that requests the paths round-robin, so that each request is for the least recently requested path. Requests
 * are formatted before the first is sent.
 */
export async function writeLoad(folder: string, name: string, paths: readonly string[]): Promise<Load> {
  const script = join(folder, `${name}.lua`)
  await writeFile(script, printScript(paths))
  return { path: '/', script }
}

/** As players do: with the session from the multivariant playlist. */
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
