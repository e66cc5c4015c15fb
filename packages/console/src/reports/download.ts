import type { Client, ReportId } from '@continuity/client'
import type { Operations, QueryInput } from '@continuity/contract'

/**
 * Reads a report as CSV and saves it as a file.
 *
 * A link to it would need a credential in its address. The browser keeps the bytes outside of the memory of scripts as
 * they arrive. A report that ends too early is not saved: it would look complete.
 */
export async function downloadCsv<Id extends ReportId>(
  client: Client,
  id: Id,
  query: QueryInput<Operations[Id]>,
  fileName: string,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const body = await client.report(id, query, { format: 'csv', signal })
  let bytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length
      onProgress(bytes)
      controller.enqueue(chunk)
    },
  })
  const blob = await new Response(body.pipeThrough(counter, { signal }), {
    headers: { 'Content-Type': 'text/csv' },
  }).blob()
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = fileName
  link.click()
  // The browser has its own reference by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
