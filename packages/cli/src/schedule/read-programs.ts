import type { Client } from '@continuity/client'
import type { Program } from './program-draft.ts'

/** The longest range of a list. */
const RANGE_MS = 8 * 86_400_000

/** The programs of a channel in a range of any length, with their items, each once. */
export async function readPrograms(
  client: Client,
  channelId: string,
  fromMs: number,
  toMs: number,
): Promise<readonly Program[]> {
  const programs = new Map<string, Program>()
  const params = { linear_channel_id: channelId }
  for (let startMs = fromMs; startMs < toMs; startMs += RANGE_MS) {
    const query = {
      from: new Date(startMs).toISOString(),
      to: new Date(Math.min(toMs, startMs + RANGE_MS)).toISOString(),
      components: true,
      page_size: 50,
    }
    for await (const program of client.listPrograms.all({ params, query }))
      if (!programs.has(program.program_id)) programs.set(program.program_id, program)
  }
  return [...programs.values()]
}
