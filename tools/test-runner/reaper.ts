import { killProcessesOf } from './processes.ts'
import { removeRunFolder } from './run-folder.ts'

/**
 * Waits beside a test run until the pipe from it closes: it has ended, whether in good order or by SIGKILL. Then ends
 * what the run left, and removes its folder.
 */
const [, , folder] = process.argv
if (folder === undefined) throw new Error('Usage: reaper.ts FOLDER')
// Signals to the whole process group are meant for the run; its end is waited for.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.stdin.resume()
await new Promise((resolve) => process.stdin.once('close', resolve))
await killProcessesOf(folder)
await removeRunFolder(folder)
