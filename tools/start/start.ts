import { join } from 'node:path'
import { messageOf } from '@continuity/dev/fault'
import { BUILT_SERVERS, MADE_SERVERS } from '@continuity/dev/node-process'
import { startStack } from '@continuity/dev/stack'
import { ensureServerBundle } from '../build/server-bundle.ts'
import { ensureConsole } from '../console/build.ts'
import { type DemoSize, isDemoSize, startDemo } from '../demo/start-demo.ts'
import { readyLine } from './ready-line.ts'
import { readSettings, type Settings } from './settings.ts'
import { startHelp } from './start-help.ts'

// npm passes on the Ctrl-C that the terminal has already sent to us. Only one
// that comes later than this is a person who does not want to wait.
const SAME_KEYSTROKE_MS = 1_000

const PROJECT = join(import.meta.dirname, '../..')

const print = (line: string) => void process.stderr.write(`${line}\n`)

const args = process.argv.slice(2)
const result = readSettings(process.env, PROJECT)
if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(startHelp)
} else if (args.some((arg) => arg !== '--demo')) {
  print(`npm start takes no arguments but --demo, but got ${args.join(' ')}\n\n${startHelp}`)
  process.exitCode = 2
} else if (result.kind === 'rejected') {
  for (const fault of result.faults) print(fault)
  process.exitCode = 1
} else {
  process.exitCode = await run(result.settings, args.includes('--demo'))
}

async function run(settings: Settings, isDemo: boolean): Promise<number> {
  const stopping = listenForStop()
  try {
    print(`Starting Continuity in ${settings.home}`)
    const log = (line: string) => print(`  ${line}`)
    // Before anything else: its films are made while the servers start.
    await using demo = isDemo ? await startDemo(settings.home, demoSize(), log) : undefined
    await Promise.all([buildConsole(), isDemo ? buildServers() : undefined])
    const stack = await startStack({
      ...settings,
      settings: { ...demo?.settings, ...settings.settings },
      withReceiver: true,
      withConsoleLogin: isDemo,
      log,
      signal: stopping.signal,
    })
    const line = readyLine(stack.baseUrl, stack.playoutUrl, stack.demoAccount)
    process.stdout.write(`${JSON.stringify(line)}\n`)
    print(
      `Continuity is up: ${stack.baseUrl} · console ${line.console_url} · docs ${stack.baseUrl}/docs · Ctrl-C stops it`,
    )
    if (isDemo) print(`Open ${stack.baseUrl}/ in a browser on this machine: the console is logged in`)
    const { account_name, email, password } = stack.demoAccount
    print(`Log in to account ${account_name} as ${email} with ${password}`)
    print(
      `For npx continuity: export CONTINUITY_URL=${stack.baseUrl} CONTINUITY_ACCOUNT=${account_name} ` +
        `CONTINUITY_EMAIL=${email} CONTINUITY_PASSWORD=${password}`,
    )
    if (stack.playoutUrl !== undefined) {
      print(`Channels play at ${stack.playoutUrl}/channels/{linear_channel_id}/direct/index.m3u8`)
    }
    void demo?.fill(stack)
    const failure = await Promise.race([stack.broken, stopping.requested])
    if (failure) print(`${failure.message}\nStopping the rest, because one part is gone.`)
    await stack.stop()
    print('Continuity has stopped')
    return failure ? 1 : 0
  } catch (error) {
    if (stopping.signal.aborted) return 0
    print(messageOf(error))
    return 1
  }
}

function demoSize(): DemoSize {
  const given = process.env['CONTINUITY_DEMO'] ?? ''
  return isDemoSize(given) ? given : 'usual'
}

/** The system works without its console. */
async function buildConsole(): Promise<void> {
  const startMs = performance.now()
  try {
    const result = await ensureConsole()
    if (result === 'built') print(`  The console is built (${Math.round(performance.now() - startMs)} ms)`)
  } catch (error) {
    print(`  The console could not be built, and is not served: ${messageOf(error)}`)
  }
}

/**
 * For the demo, which begins with an empty cache: a process of a thousand sources takes longer to load than all of them to
 * be bundled. Without it, the sources are run, whose lines are in errors.
 */
async function buildServers(): Promise<void> {
  if (process.env[BUILT_SERVERS] !== undefined || process.env[MADE_SERVERS] !== undefined) return
  try {
    process.env[BUILT_SERVERS] = await ensureServerBundle(PROJECT)
  } catch (error) {
    print(`  The servers could not be bundled, and run from their sources: ${messageOf(error)}`)
  }
}

/**
 * Ctrl-C, an ordinary kill and a closed terminal all stop it in good order.
 *
 * A second one forces: on exit every child that still runs is ended at once.
 */
function listenForStop(): { signal: AbortSignal; requested: Promise<undefined> } {
  const controller = new AbortController()
  const { promise, resolve } = Promise.withResolvers<undefined>()
  let requestedMs: number | undefined // written by the first signal only
  const onSignal = () => {
    if (requestedMs === undefined) {
      requestedMs = performance.now()
      print('Stopping…')
      controller.abort()
      resolve(undefined)
    } else if (performance.now() - requestedMs > SAME_KEYSTROKE_MS) {
      process.exit(1)
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  // A terminal that was closed, or a reader that has read enough, must not stop us from stopping.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  if (process.env.npm_lifecycle_event) watchForOrphaning(onSignal)
  return { signal: controller.signal, requested: promise }
}

/**
 * npm passes an ordinary kill to the shell that runs us, and a shell dies of it
 * without telling. All that we see is that our parent is another one.
 */
function watchForOrphaning(onOrphaned: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onOrphaned()
  }, 200).unref()
}
