import { execFileSync } from 'node:child_process'

/**
 * All descendants of a process over time, from `ps`. A process is identified by its pid and start time. Lists those that
 * are running, with their commands.
 */
export type ProcessTree = () => string[]

interface Line {
  readonly pid: string
  readonly parent: string
  readonly identity: string
  readonly command: string
}

export function watchTree(root: number): ProcessTree {
  const seen = new Set<string>()
  return () => {
    const lines = listProcesses()
    const byParent = Map.groupBy(lines, ({ parent }) => parent)
    const add = (line: Line) => {
      seen.add(line.identity)
      for (const child of byParent.get(line.pid) ?? []) add(child)
    }
    // A process that lost its parent may still have children.
    for (const line of lines) if (line.pid === `${root}` || seen.has(line.identity)) add(line)
    return lines.filter(({ identity }) => seen.has(identity)).map(({ pid, command }) => `${pid} ${command}`)
  }
}

/** Without zombies, which have ended. */
function listProcesses(): Line[] {
  const text = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,lstart=,args='], {
    encoding: 'utf8',
    maxBuffer: 2 ** 25,
  })
  return text.split('\n').flatMap((line): Line[] => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\w+ \w+ +\d+ [\d:]+ \d+) (.*)$/.exec(line)
    if (match === null || match[3]!.startsWith('Z')) return []
    const [, pid = '', parent = '', , start = '', command = ''] = match
    return [{ pid, parent, identity: `${pid} ${start}`, command }]
  })
}
