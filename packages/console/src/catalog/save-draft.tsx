import { isProblem } from '@continuity/client'
import { Alert, Button } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { commandProblemText } from '../shared/problem-text.ts'
import classes from './catalog.module.css'

interface SaveDraftProps {
  /** Whether there is anything to save. */
  readonly isOpen: boolean
  readonly save: Pick<UseMutationResult<unknown, Error, void>, 'error' | 'isPending' | 'mutate'>
  readonly submit: string
  /** What another user may have changed meanwhile, such as "this playlist"; without it nothing is compared. */
  readonly subject?: string
  readonly isInvalid?: boolean
  readonly onDiscard: () => void
  /** What saving does. */
  readonly children?: ReactNode
}

/** Saves a draft or discards it, and shows why it was not saved. */
export function SaveDraft({ isOpen, save, submit, subject, isInvalid, onDiscard, children }: SaveDraftProps) {
  return (
    <>
      {isOpen && (
        <div className={classes['save']}>
          {children !== undefined && <p className={classes['hint']}>{children}</p>}
          <Button disabled={isInvalid ?? false} loading={save.isPending} onClick={() => save.mutate()}>
            {submit}
          </Button>
          <Button variant="default" onClick={onDiscard}>
            Discard changes
          </Button>
        </div>
      )}
      {save.error !== null && (
        <Alert color="red" role="alert">
          {subject !== undefined && isProblem(save.error, 'record.changed')
            ? `Another user has changed ${subject} since you opened it. Discard your changes to see what it is now.`
            : commandProblemText(save.error)}
        </Alert>
      )}
    </>
  )
}
