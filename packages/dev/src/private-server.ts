import type { Child } from './child-process.ts'

export interface PrivateServerOptions {
  readonly home: string // an absolute path
  readonly searchPath: string // folders of programs, as in PATH
  readonly log: (line: string) => void
  readonly signal?: AbortSignal | undefined // gives up a start that is under way
}

/** A server of our own that a stack started and will stop. */
export interface PrivateServer {
  readonly url: string // with the name and the password
  readonly child: Child
  stop(): Promise<void>
}
