import type { BenchSession } from './sessions.ts'

/**
 * A wrk script that requests the paths round-robin with the sessions round-robin. All requests are formatted before the
 * first is sent. Threads start at different offsets: otherwise one would find everything cached by another.
 */
export function printLoadScript(sessions: readonly BenchSession[], paths: readonly string[]): string {
  const entries = sessions.map(({ token, deviceId }) => `  {"${token}", "${deviceId}"},`)
  return `local sessions = {
${entries.join('\n')}
}
local paths = {
${paths.map((path) => `  "${path}",`).join('\n')}
}
local requests = {}
local at = 0
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init()
  for i = 1, math.max(#sessions, #paths) do
    local session = sessions[(i - 1) % #sessions + 1]
    local headers = { ["X-Service-Auth"] = session[1], ["X-Service-Device"] = session[2] }
    requests[i] = wrk.format("GET", paths[(i - 1) % #paths + 1], headers)
  end
  at = math.floor(#requests / 2) * number
end

function request()
  at = at % #requests + 1
  return requests[at]
end
`
}
