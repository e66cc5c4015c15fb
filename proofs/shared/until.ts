import { pollUntil } from '@continuity/dev/waiting'

/** Timeout for steps that succeed unless something is broken, on a busy machine too. */
export const PATIENCE_MS = 300_000

/** The first value that is neither undefined nor false. Throws when the time is over. */
export async function until<T>(
  goal: string,
  poll: () => Promise<T | false | undefined> | T | false | undefined,
  withinMs = PATIENCE_MS,
): Promise<T> {
  const value = await pollUntil(async () => (await poll()) || undefined, withinMs)
  if (value === undefined) throw new Error(`${goal}: not within ${withinMs} ms`)
  return value
}

/** Whether it becomes true in time. */
export const becomes = async (
  isSo: () => Promise<boolean> | boolean,
  withinMs = PATIENCE_MS,
): Promise<boolean> => (await pollUntil(async () => (await isSo()) || undefined, withinMs)) ?? false
