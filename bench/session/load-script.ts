import type { BenchSession } from './sessions.ts'

/** A script for wrk that sends a request of each session in turn. All are written out before the first is sent. */
export function printLoadScript(sessions: readonly BenchSession[]): string {
  const entries = sessions.map(({ token, deviceId }) => `  {"${token}", "${deviceId}"},`)
  return `local sessions = {
${entries.join('\n')}
}
local requests = {}
local at = 0

function init()
  for i, session in ipairs(sessions) do
    local headers = { ["X-Service-Auth"] = session[1], ["X-Service-Device"] = session[2] }
    requests[i] = wrk.format("GET", nil, headers)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
`
}
