import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RunningProcess {
  readonly pid: number
  readonly command: string
}

/**
 * All processes that belong to a folder: those that name it in their arguments, environment, working folder or output
 * files, and their descendants.
 *
 * Process groups and parents do not find them all: servers get a session of their own, and a process that loses its parent
 * becomes a child of init. This process, its ancestors and `except` do not count.
 */
export function findProcessesOf(folder: string, except?: number): RunningProcess[] {
  const all = listProcesses()
  const children = Map.groupBy(all, ({ parent }) => parent)
  const found = new Map<number, RunningProcess>()
  const add = (it: ProcessEntry) => {
    if (found.has(it.pid)) return
    found.set(it.pid, { pid: it.pid, command: it.command })
    for (const child of children.get(it.pid) ?? []) add(child)
  }
  const own = new Set([...ancestorsOf(process.pid, all), except])
  for (const it of all) if (!own.has(it.pid) && mentions(it.pid, folder)) add(it)
  return [...found.values()].filter(({ pid }) => !own.has(pid))
}

/** Kills them, and whatever they start meanwhile. Returns those that were running. */
export async function killProcessesOf(folder: string, except?: number): Promise<RunningProcess[]> {
  const killed = new Map<number, RunningProcess>()
  for (;;) {
    const running = findProcessesOf(folder, except)
    if (running.length === 0) return [...killed.values()]
    for (const it of running) {
      killed.set(it.pid, it)
      kill(it.pid)
    }
    await sleep(20)
  }
}

interface ProcessEntry extends RunningProcess {
  readonly parent: number
}

function listProcesses(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): ProcessEntry[] => {
      const stat = read(`/proc/${name}/stat`)
      // proc(5): the second field is a name that may hold spaces; state and parent follow it. Zombies have ended.
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (stat === '' || state === 'Z' || state === 'X') return []
      const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim()
      return [{ pid: Number(name), parent: Number(parent), command: command || stat }]
    })
}

/** The process itself and those that it descends from. */
function ancestorsOf(pid: number, all: readonly ProcessEntry[]): number[] {
  const parent = all.find((it) => it.pid === pid)?.parent ?? 0
  return parent === 0 ? [pid] : [pid, ...ancestorsOf(parent, all)]
}

function mentions(pid: number, folder: string): boolean {
  const links = ['cwd', 'fd/1', 'fd/2'].map((name) => readLink(`/proc/${pid}/${name}`))
  const texts = ['cmdline', 'environ'].map((name) => read(`/proc/${pid}/${name}`))
  // Folder 1 is not folder 12.
  const name = new RegExp(`${RegExp.escape(folder)}(?![\\w-])`)
  return [...links, ...texts].some((text) => name.test(text))
}

/** Empty where the process is gone, or another user's. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
