import type { Client } from '@continuity/client'
import { isProblem } from '@continuity/client/problem'
import { errorText } from '../terminal/fault-text.ts'
import type { Fault, ProgramRow } from './program-rows.ts'

export interface Written {
  readonly created: readonly { readonly program_id: string; readonly title: string }[]
  /** Rows that the service rejected. */
  readonly faults: readonly Fault[]
  readonly wasInterrupted: boolean
}

export interface WriteOptions {
  /** Whether the other rows are written after one was rejected. */
  readonly isPartial: boolean
  readonly signal: AbortSignal
  onRow(done: number, failed: number): void
}

/** Creates programs one after another. Its calls have a key each, so that a repeated try creates nothing twice. */
export async function writeRows(
  client: Client,
  channelId: string,
  rows: readonly ProgramRow[],
  { isPartial, signal, onRow }: WriteOptions,
): Promise<Written> {
  const created: Written['created'][number][] = []
  const faults: Fault[] = []
  for (const row of rows) {
    if (signal.aborted || (faults.length > 0 && !isPartial)) break
    try {
      const params = { linear_channel_id: channelId }
      const { program_id, title } = await client.createProgram({ params, body: row.draft })
      created.push({ program_id, title })
    } catch (error) {
      faults.push(row.fault(rejectionText(error)))
      // Other rows would fail likewise.
      if (!isProblem(error)) break
    }
    onRow(created.length + faults.length, faults.length)
  }
  return { created, faults, wasInterrupted: signal.aborted }
}

function rejectionText(error: unknown): string {
  const text = errorText(error).replaceAll('\n', ' ')
  return isProblem(error) ? text : `${text} It is not known whether this program was created.`
}

/** Cancels programs, the last one first, and returns why some could not be. */
export async function cancelPrograms(
  client: Client,
  channelId: string,
  programs: Written['created'],
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const { program_id, title } of programs.toReversed()) {
    try {
      await client.cancelProgram({ params: { linear_channel_id: channelId, program_id } })
    } catch (error) {
      if (!isProblem(error, 'program.not_found')) faults.push(`"${title}" ${program_id}: ${errorText(error)}`)
    }
  }
  return faults
}
