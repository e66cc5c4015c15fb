import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '@continuity/dev/project-root'
import { callApi, type IngestBody, type IngestStatus } from './ingest-system.ts'

export type Caller = ReturnType<typeof callerOf>

/** Calls an API process with a session, whichever process opened it. */
export function callerOf(url: string, headers: Readonly<Record<string, string>>) {
  const call = <T>(method: string, path: string, body?: unknown) =>
    callApi<T>(url, headers, method, path, body)
  return {
    call,
    submit: async (body: IngestBody) =>
      (await call<{ request_id: string }>('POST', '/api/2.1/automation/schedule', body)).request_id,
    statusOf: (requestId: string) => call<IngestStatus>('GET', `/api/2.1/automation/schedule/${requestId}`),
  }
}

/** The first block of commands in a chapter of a runbook. */
export async function readRunbook(file: string, chapter: string, language = 'sh'): Promise<string> {
  const text = await readFile(join(projectRoot, file), 'utf8')
  const found = text.split(/^(?=## )/m).find((it) => it.startsWith(`## ${chapter}\n`))
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(found ?? '')?.[1]
  if (block === undefined) throw new Error(`${file} has no commands in "${chapter}"`)
  return block
}

interface ShellOptions {
  readonly ownerUrl: string
  readonly cwd?: string
  /** The release whose `continuity` is meant; by default this one. */
  readonly project?: string | undefined
}

/** Runs lines as an operator does, up to the first that fails; returns what they print. */
export async function runShell(lines: string, { ownerUrl, cwd, project }: ShellOptions): Promise<string> {
  const command = join(project ?? projectRoot, 'packages/cli/src/continuity.ts')
  const script = lines.replaceAll(/^(npx )?continuity(?= )/gm, `${process.execPath} ${command}`)
  const { stdout, stderr } = await promisify(execFile)('bash', ['-ec', script], {
    cwd,
    env: { ...process.env, DATABASE_OWNER_URL: ownerUrl },
    timeout: 120_000,
  })
  return stdout + stderr
}
