import { spawn } from 'node:child_process'
import type { Logger } from '../log/logger.ts'
import type { ProgramLimits } from './program-options.ts'

/** Wraps a program in resource limits, low priority and no network. */
export interface Harness {
  /** The command line to start, with the program and its arguments last. */
  enclose(options: HarnessOptions): readonly string[]
}

export interface HarnessOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly limits: ProgramLimits
  readonly nice: number
}

/**
 * Detects which parts of the harness this machine has. Each is a small program that executes the next one, so that
 * there is one process in the end.
 *
 * `setpriv` is the innermost: the kernel clears the parent-death signal when a process enters another user
 * namespace, as `unshare` may make it do.
 */
export async function findHarness(path: string, logger: Logger): Promise<Harness> {
  const env = { PATH: path }
  const works = (command: readonly string[]) => endsWell([...command, 'true'], env)
  const findNet = async () => {
    for (const command of noNetwork) if (await works(command)) return command
    return undefined
  }
  const [net, hasLimits, hasPriority, diesWithUs] = await Promise.all([
    findNet(),
    works(['prlimit', '--core=0']),
    works(['nice', '-n', '1']),
    works(dyingWithParent),
  ])
  const missing = [
    ...(net === undefined ? ['unshare: programs can reach the network'] : []),
    ...(hasLimits ? [] : ['prlimit: programs have no memory limit']),
    ...(hasPriority ? [] : ['nice: programs run with the priority of this process']),
    ...(diesWithUs ? [] : ['setpriv: programs outlive this process when it is killed']),
  ]
  if (missing.length > 0) logger.warn({ missing }, 'parts of the program sandbox are missing on this machine')
  return {
    enclose: ({ program, args, limits, nice }) => [
      ...(net ?? []),
      ...(hasLimits ? printLimits(limits) : []),
      ...(hasPriority ? ['nice', '-n', String(nice)] : []),
      ...(diesWithUs ? dyingWithParent : []),
      program,
      ...args,
    ],
  }
}

/** Root can create a network namespace; other users need a user namespace first, where the machine allows it. */
const noNetwork = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--map-current-user', '--net', '--'],
] as const

const dyingWithParent = ['setpriv', '--pdeathsig', 'KILL', '--'] as const

function printLimits({ memoryBytes, fileBytes, cpuMs }: ProgramLimits): readonly string[] {
  const cpuSeconds = Math.ceil(cpuMs / 1_000)
  return [
    'prlimit',
    '--core=0',
    `--as=${memoryBytes}`,
    // The soft limit sends SIGXCPU, which names the reason; the hard limit 5 s later sends SIGKILL.
    `--cpu=${cpuSeconds}:${cpuSeconds + 5}`,
    ...(fileBytes === undefined ? [] : [`--fsize=${fileBytes}`]),
  ]
}

function endsWell(command: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> {
  const [program = '', ...args] = command
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env,
      stdio: 'ignore',
      timeout: 5_000,
      killSignal: 'SIGKILL',
    })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
