import type { Client, ReportId } from '@continuity/client'
import type { Operations, QueryInput } from '@continuity/contract'
import { Alert, Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../session/session-context.tsx'
import { problemText } from '../shared/problem-text.ts'
import { queryOf, type ReportChoice } from './report-query.ts'
import classes from './reports.module.css'
import { amountText } from './values.ts'

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reading'; readonly bytes: number }
  | { readonly kind: 'failed'; readonly text: string }

/** Saves all rows, also those that the table leaves out. */
export function DownloadButton({ choice }: { choice: ReportChoice }) {
  const client = useClient()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const ended = useRef<AbortController>(undefined)
  useEffect(() => () => ended.current?.abort(), [])

  async function download(): Promise<void> {
    const { report, range } = choice
    const attempt = new AbortController()
    ended.current = attempt
    setState({ kind: 'reading', bytes: 0 })
    const onProgress = (bytes: number) => setState({ kind: 'reading', bytes })
    const fileName = `${report.name}-${range.from}-${range.to}.csv`
    try {
      await downloadCsv(client, report.id, queryOf(choice), fileName, onProgress, attempt.signal)
      setState({ kind: 'idle' })
    } catch (error) {
      setState(attempt.signal.aborted ? { kind: 'idle' } : { kind: 'failed', text: problemText(error) })
    }
  }

  return (
    <div className={classes['download']}>
      {state.kind === 'reading' ? (
        <>
          <span role="status">
            {state.bytes === 0 ? 'Preparing the file…' : `${amountText(state.bytes / 1_000_000)} MB`}
          </span>
          <Button variant="default" onClick={() => ended.current?.abort()}>
            Cancel
          </Button>
        </>
      ) : (
        <Button onClick={() => void download()}>Download CSV</Button>
      )}
      {state.kind === 'failed' && (
        <Alert color="red" role="alert" title="Nothing was saved">
          {state.text}
        </Alert>
      )}
    </div>
  )
}

/**
 * Reads a report as CSV and saves it as a file.
 *
 * A link to it would need a credential in its address. The browser keeps the bytes outside of the memory of scripts as
 * they arrive. A report that ends too early is not saved: it would look complete.
 */
async function downloadCsv<Id extends ReportId>(
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
