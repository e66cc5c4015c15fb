import { open } from 'node:fs/promises'
import { segmentStartMarks } from '@continuity/core/packaging/segment-start'

/** Sets the discontinuity indicator of the first packets of a segment, in its file. False where that is impossible. */
export async function markSegment(file: string, bytes: Uint8Array): Promise<boolean> {
  const changes = segmentStartMarks(bytes)
  if (changes === undefined) return false
  if (changes.length === 0) return true
  await using handle = await open(file, 'r+')
  for (const { offset, value } of changes) await handle.write(Uint8Array.of(value), 0, 1, offset)
  return true
}
