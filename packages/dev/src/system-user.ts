import { readFile } from 'node:fs/promises'

/** A user of this machine that a child process can run as; only root may choose. */
export interface SystemUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

export async function findSystemUser(name: string): Promise<SystemUser | undefined> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  const fields = lines.map((line) => line.split(':')).find((line) => line[0] === name)
  return fields && { name, uid: Number(fields[2]), gid: Number(fields[3]) }
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}
