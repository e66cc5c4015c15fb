import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '../../tools/architecture/source-files.ts'
import { createDraw } from '../draw.ts'
import { proof } from '../proofs/proof.ts'
import { type ProcessTree, watchTree } from './process-tree.ts'

interface KilledRuns {
  readonly kills: number
  readonly files: readonly string[]
  /** A run is killed within this time after a process like this has started. */
  readonly withinMs: number
  readonly afterStart: RegExp
}

const SIGNALS = ['SIGTERM', 'SIGKILL', 'SIGINT'] as const

/** Test files, and the process that only the runner can end. */
const A_TEST_FILE = /--test-reporter.*\.ts$/
const THE_STUBBORN_ONE = /^\d+ sleep 600$/

const STUBBORN = 'e2e/killed-test-runs/stubborn-processes.ts'

/** Timeout for processes to end. */
const ENDING_MS = 20_000

export const killedTestRuns = proof<KilledRuns>({
  name: 'killed-test-runs',
  title: 'Test runs that are killed leave nothing behind',
  promise:
    'Test runs are killed at random moments: npm alone, the runner alone, or the whole process group, by SIGTERM, ' +
    'SIGINT and SIGKILL. Every process that ever descended from the run, by the list of processes, has then ended: ' +
    'servers, workers, browsers and ffmpeg. The temporary folder of the run is removed.',
  watches: ['tools/run-tests.ts', 'tools/test-runner', 'tools/dev-stack', 'e2e/killed-test-runs'],
  sabotage: {
    title: 'processes of a run are not found',
    changes: [
      {
        file: 'tools/test-runner/processes.ts',
        from: '.some((text) => name.test(text))',
        to: '.some((text) => text === folder)',
      },
    ],
    missed: ['runs_with_processes_left'],
  },
  sizes: {
    small: {
      kills: 3,
      files: ['packages/server/src/modules/events/*.db.test.ts', STUBBORN],
      withinMs: 3_000,
      // On a busy machine a run may be killed before its files have started anything that could be left.
      afterStart: THE_STUBBORN_ONE,
    },
    full: {
      kills: 10,
      files: ['{packages,tools,e2e,bench}/**/*.test.ts', STUBBORN],
      withinMs: 120_000,
      afterStart: A_TEST_FILE,
    },
  },
  async run({ size: { kills, files, withinMs, afterStart }, seed, log }) {
    const draw = createDraw(seed)
    let struck = 0
    let processes = 0
    let left = 0
    let foldersLeft = 0
    // Stops at the first failure.
    for (let at = 0; at < kills && left === 0; at += 1) {
      const signal = SIGNALS[at % SIGNALS.length]!
      const target = draw.one(['npm', 'runner', 'group'] as const)
      const outcome = await killRun({ files, afterStart, signal, target, afterMs: draw.below(withinMs) })
      if (outcome.isStruck) struck += 1
      processes += outcome.running
      if (outcome.left.length > 0) left += 1
      if (outcome.isFolderLeft) foldersLeft += 1
      log(`${signal} to the ${target} with ${outcome.running} processes: ${outcome.left.length} left`)
      for (const command of outcome.left.slice(0, 5)) log(`  ${command.slice(0, 200)}`)
    }
    return {
      figures: {
        runs_killed_in_a_test_file: struck,
        processes_running_at_the_kills: processes,
        runs_with_processes_left: left,
        folders_left: foldersLeft,
      },
      targets: {
        runs_killed_in_a_test_file: { is: kills },
        processes_running_at_the_kills: { atLeast: kills * 5 },
        runs_with_processes_left: { is: 0 },
        folders_left: { is: 0 },
      },
    }
  },
})

interface Kill {
  readonly files: readonly string[]
  readonly afterStart: RegExp
  readonly signal: NodeJS.Signals
  readonly target: 'npm' | 'runner' | 'group'
  readonly afterMs: number
}

async function killRun({ files, afterStart, signal, target, afterMs }: Kill) {
  const folder = await mkdtemp(join(tmpdir(), 'kill-'))
  const { NODE_TEST_CONTEXT: _, TEST_TEMPLATE_URL: __, TEST_SERVICE_URL: ___, ...env } = process.env
  const npm = spawn('npm', ['test', '--', ...files], {
    cwd: projectRoot,
    detached: true,
    env: { ...env, TMPDIR: folder },
    stdio: 'ignore',
  })
  const listRunning = watchTree(npm.pid!)
  try {
    while (!listRunning().some((line) => afterStart.test(line)) && npm.exitCode === null) await sleep(200)
    const untilMs = performance.now() + afterMs
    while (performance.now() < untilMs) {
      listRunning()
      await sleep(200)
    }
    const running = listRunning()
    const isStruck = running.some((line) => A_TEST_FILE.test(line))
    kill(npm, target, signal, running)
    const left = await untilNoneRuns(listRunning)
    const remains = await readdir(folder)
    return {
      isStruck,
      running: running.length,
      left,
      isFolderLeft: remains.some((name) => name.startsWith('ct-')),
    }
  } finally {
    // One of them may have started another meanwhile.
    while (endAllOf(folder, listRunning) > 0) await sleep(500)
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Cleanup independent of the code under test: kills what descended from the run, and everything that has the folder in its
 * environment, which servers do not have. Returns how many.
 */
function endAllOf(folder: string, listRunning: ProcessTree): number {
  const descended = listRunning().map((line) => Number.parseInt(line, 10))
  const mentioning = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => mentions(pid, folder))
  const all = new Set([...descended, ...mentioning])
  for (const pid of all) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  return all.size
}

function mentions(pid: number, folder: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder)
  } catch {
    // It has ended, or belongs to another user.
    return false
  }
}

function kill(
  npm: ChildProcess,
  target: Kill['target'],
  signal: NodeJS.Signals,
  running: readonly string[],
): void {
  const runner = running.find((line) => / tools\/run-tests\.ts( |$)/.test(line))
  if (target === 'group') process.kill(-npm.pid!, signal)
  else if (target === 'runner' && runner !== undefined) process.kill(Number(runner.split(' ')[0]), signal)
  else npm.kill(signal)
}

async function untilNoneRuns(listRunning: ProcessTree): Promise<string[]> {
  const untilMs = performance.now() + ENDING_MS
  for (;;) {
    const running = listRunning()
    if (running.length === 0 || performance.now() > untilMs) return running
    await sleep(200)
  }
}
