import { Alert, Loader } from '@mantine/core'
import classes from './page-state.module.css'
import { problemText } from './problem-text.ts'

/** A failed read is repeated by itself; often enough for someone who watches, seldom enough for forty consoles. */
export const READ_AGAIN_MS = 5_000

/** In place of a page that is being read, or could not be read. */
export function PageState({ title, error }: { title: string; error: Error | null }) {
  return (
    <>
      <h1>{title}</h1>
      <ReadState error={error} />
    </>
  )
}

/** The same for a part of a page, which has its own heading. */
export function ReadState({ error }: { error: Error | null }) {
  if (error === null) {
    return (
      <p className={classes['loading']} role="status">
        <Loader size="sm" aria-hidden="true" /> Loading…
      </p>
    )
  }
  return (
    <Alert color="red" role="alert" title="This page could not be loaded" className={classes['fault']}>
      {problemText(error)} Trying again every {READ_AGAIN_MS / 1_000} seconds. Channels stay on air.
    </Alert>
  )
}
