import { execFile } from 'node:child_process'
import { join } from 'node:path'

export interface Podman {
  /** Runs a command of podman to its end, and returns what it printed; rejects if it failed. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>
  /** The same, with the exit code as the result. */
  try(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<PodmanResult>
}

export interface PodmanResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Podman with images and containers in a folder of their own, so that a run neither uses nor leaves others. */
export function podmanIn(folder: string): Podman {
  const own = [
    ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--tmpdir', join(folder, 'state')],
    // These need neither systemd nor the second version of cgroups.
    [
      '--storage-driver',
      'vfs',
      '--cgroup-manager',
      'cgroupfs',
      '--events-backend',
      'none',
      '--runtime',
      'runc',
    ],
  ].flat()
  const attempt: Podman['try'] = (args, env = {}) =>
    new Promise((resolve, reject) => {
      const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 28 }
      execFile('podman', [...own, ...args], options, (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== 'number') reject(error)
        else resolve({ code: Number(error?.code ?? 0), stdout, stderr })
      })
    })
  return {
    try: attempt,
    run: async (args, env) => {
      const { code, stdout, stderr } = await attempt(args, env)
      if (code === 0) return stdout
      const lines = `${stdout}${stderr}`.trimEnd().split('\n').slice(-30)
      throw new Error(`podman ${args[0]} ended with code ${code}:\n${lines.join('\n')}`)
    },
  }
}
