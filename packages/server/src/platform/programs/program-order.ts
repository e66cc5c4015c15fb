import type { Readable } from 'node:stream'

export interface ProgramOrder {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly limits: ProgramLimits
  readonly signal: AbortSignal
  /** What it reads on its standard input; nothing where it is left out. */
  readonly stdin?: Readable
  /** What it reads on its descriptors from 3 on. */
  readonly pipes?: readonly Readable[]
  /** Gets each line of standard output, which is not kept then. */
  readonly onLine?: (line: string) => void
  /** From 0, as important as this process, to 19. */
  readonly nice?: number
}

export interface ProgramLimits {
  readonly timeMs: number
  /** Of processor time, on all cores together. */
  readonly cpuMs: number
  /** Of address space. */
  readonly memoryBytes: number
  /** What is kept of standard output; more is a fault. */
  readonly stdoutBytes?: number
  /** Of any one file that it writes. */
  readonly fileBytes?: number
  /** Of all files in a folder. */
  readonly folder?: { readonly path: string; readonly bytes: number }
}

export interface ProgramResult {
  readonly stdout: string
  readonly stderrTail: string
}

export type RunProgram = (order: ProgramOrder) => Promise<ProgramResult>
