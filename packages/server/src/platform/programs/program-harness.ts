import { spawn } from 'node:child_process'
import type { Logger } from '../logger.ts'
import type { ProgramLimits } from './program-order.ts'

/** What stands in front of a program, so that it can do no more than its work. */
export interface Harness {
  /** The words to start, program and arguments last. */
  enclose(order: HarnessedOrder): readonly string[]
}

export interface HarnessedOrder {
  readonly program: string
  readonly args: readonly string[]
  readonly limits: ProgramLimits
  readonly nice: number
}

/**
 * Finds out which parts of the harness this machine has. Each is a small
 * program that becomes the next one, so that in the end there is one process.
 *
 * `setpriv` is the innermost: the kernel forgets who a process should die with
 * when it enters another user namespace, as `unshare` may make it do.
 */
export async function findHarness(path: string, logger: Logger): Promise<Harness> {
  const env = { PATH: path }
  const works = (words: readonly string[]) => endsWell([...words, 'true'], env)
  const findNet = async () => {
    for (const words of noNetwork) if (await works(words)) return words
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
    ...(hasLimits ? [] : ['prlimit: programs have no limit of memory']),
    ...(hasPriority ? [] : ['nice: programs run with the priority of this process']),
    ...(diesWithUs ? [] : ['setpriv: programs outlive this process when it is killed']),
  ]
  if (missing.length > 0) logger.warn({ missing }, 'programs run with less of a harness')
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

/** As root a namespace can be had; other users need one of users first, where the machine lets them. */
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
    // Some seconds apart: at the first it is told why (SIGXCPU), at the second the kernel ends it.
    `--cpu=${cpuSeconds}:${cpuSeconds + 5}`,
    ...(fileBytes === undefined ? [] : [`--fsize=${fileBytes}`]),
  ]
}

function endsWell(words: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> {
  const [program = '', ...args] = words
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
