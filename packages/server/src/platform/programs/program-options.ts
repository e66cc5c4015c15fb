import type { Readable } from 'node:stream'

export interface ProgramOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly limits: ProgramLimits
  readonly signal: AbortSignal
  /** Its standard input; empty when absent. */
  readonly stdin?: Readable
  /** Its file descriptors from 3 on. */
  readonly pipes?: readonly Readable[]
  /** Called for each line of standard output, which is not collected then. */
  readonly onLine?: (line: string) => void
  /** From 0, the priority of this process, to 19. */
  readonly nice?: number
}

export interface ProgramLimits {
  readonly timeMs: number
  /** Processor time, on all cores together. */
  readonly cpuMs: number
  /** Address space. */
  readonly memoryBytes: number
  /** The most standard output that is collected; more is a fault. */
  readonly stdoutBytes?: number
  /** Any one file that it writes. */
  readonly fileBytes?: number
  /** All files in a folder. */
  readonly folder?: { readonly path: string; readonly bytes: number }
}

export interface ProgramResult {
  readonly stdout: string
  readonly stderrTail: string
}

export type RunProgram = (options: ProgramOptions) => Promise<ProgramResult>
