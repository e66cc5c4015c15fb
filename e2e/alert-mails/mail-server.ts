import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SmtpReport } from './smtp-process.ts'

/** A mail that the server accepted, even if the sender did not get the response. */
export interface Arrival {
  readonly atMs: number
  readonly to: string
  readonly raw: string
  readonly messageId: string
}

export interface MailServer extends AsyncDisposable {
  readonly arrivals: readonly Arrival[]
  /** Delivery attempts by address. */
  readonly tries: ReadonlyMap<string, number>
  /** Kills by SIGKILL. */
  kill(): Promise<void>
  start(): Promise<void>
}

const script = fileURLToPath(new URL('./smtp-process.ts', import.meta.url))

/** Starts a mail server that restarts on the same port. The mails it accepted are recorded here. */
export async function startMailServer(port: number): Promise<MailServer> {
  const arrivals: Arrival[] = []
  const tries = new Map<string, number>()
  let child: ChildProcess | undefined
  const start = async () => {
    const started = fork(script, [`${port}`], { stdio: 'ignore' })
    child = started
    const { promise: listening, resolve } = Promise.withResolvers<void>()
    started.on('message', (message) => {
      const { kind, to, raw } = message as SmtpReport
      if (kind === 'listening') resolve()
      if (kind === 'tried') tries.set(to, (tries.get(to) ?? 0) + 1)
      if (kind === 'taken') arrivals.push({ atMs: performance.now(), to, raw, messageId: messageIdOf(raw) })
    })
    const ended = once(started, 'exit').then(() => {
      throw new Error('the mail server exited before it listened')
    })
    ended.catch(() => {})
    await Promise.race([listening, ended])
  }
  const kill = async () => {
    const killed = child!
    if (killed.exitCode !== null || killed.signalCode !== null) return
    const exited = once(killed, 'exit')
    killed.kill('SIGKILL')
    await exited
  }
  await start()
  return { arrivals, tries, kill, start, [Symbol.asyncDispose]: kill }
}

const messageIdOf = (raw: string): string => /^Message-ID: (\S+)\r$/im.exec(raw)?.[1] ?? ''
