import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs git in one folder. */
export interface Git {
  /** What it prints, without the last line's end. */
  read(...args: readonly string[]): Promise<string>
  /** The same; undefined where git knows of no such thing. */
  find(...args: readonly string[]): Promise<string | undefined>
}

export function createGit(root: string): Git {
  const read = async (...args: readonly string[]) => {
    const { stdout } = await run('git', [...args], { cwd: root, env: ownEnvironment() })
    return stdout.trimEnd()
  }
  return { read, find: (...args) => read(...args).catch(() => undefined) }
}

/** A hook of git's own would point every git that it starts to its repository. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
}
