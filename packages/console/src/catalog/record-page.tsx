import { isProblem } from '@continuity/client'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { FormDialog } from '../shared/form-dialog.tsx'
import { ReadState } from '../shared/page-state.tsx'
import { keys } from '../shared/query-keys.ts'
import { Link, navigate } from '../shared/router.tsx'
import { StatusBadge } from '../shared/status-badge.tsx'
import type { Playlist, Series, Video } from '../shared/wire-types.ts'
import classes from './catalog.module.css'
import { statusTones, statusWords } from './words.ts'

const kinds = {
  video: { all: 'All videos', list: '/catalog/videos', needs: 'changeVideo' },
  series: { all: 'All series', list: '/catalog/series', needs: 'changeSeries' },
  playlist: { all: 'All playlists', list: '/catalog/playlists', needs: 'changePlaylist' },
} as const

/** In place of a record: it is being read, cannot be read, or does not exist. */
export function RecordState({ kind, error }: { kind: keyof typeof kinds; error: Error | null }) {
  if (!isProblem(error, `${kind}.not_found`)) return <ReadState error={error} />
  const { all, list } = kinds[kind]
  return (
    <p>
      There is no such {kind}. <Link to={list}>{all}</Link>
    </p>
  )
}

interface RecordHeadingProps<T> {
  readonly kind: keyof typeof kinds
  readonly record: T
  /** The dialog that changes it. */
  readonly form: (record: T, onClose: () => void) => ReactNode
  /** What becomes of others when it is deleted. */
  readonly deleteText: string
  readonly remove: (record: T) => Promise<unknown>
}

/** The title of a record, with what can be done to it. */
export function RecordHeading<T extends Video | Series | Playlist>(props: RecordHeadingProps<T>) {
  const { kind, record, form, deleteText, remove } = props
  const { needs } = kinds[kind]
  const mayChange = useMayCall()(needs)
  // With what the user has seen: the ETag of that is sent.
  const [opened, setOpened] = useState<{ readonly command: 'change' | 'delete'; readonly seen: T }>()
  const close = () => setOpened(undefined)
  return (
    <>
      <div className={classes['heading']}>
        <h2>{record.title}</h2>
        <StatusBadge text={statusWords[record.status]} tone={statusTones[record.status]} />
        {mayChange && (
          <div className={classes['commands']}>
            <Button
              size="xs"
              variant="default"
              onClick={() => setOpened({ command: 'change', seen: record })}
            >
              Change…
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() => setOpened({ command: 'delete', seen: record })}
            >
              Delete…
            </Button>
          </div>
        )}
      </div>
      {!mayChange && <p className={classes['hint']}>To change it, you need {rolesFor(needs)}.</p>}
      {opened?.command === 'change' && form(opened.seen, close)}
      {opened?.command === 'delete' && (
        <DeleteRecord
          title={opened.seen.title}
          kind={kind}
          text={deleteText}
          remove={() => remove(opened.seen)}
          onClose={close}
        />
      )}
    </>
  )
}

interface DeleteRecordProps {
  readonly title: string
  readonly kind: keyof typeof kinds
  readonly text: string
  readonly remove: () => Promise<unknown>
  readonly onClose: () => void
}

function DeleteRecord({ title, kind, text, remove, onClose }: DeleteRecordProps) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: remove,
    onSuccess: () => navigate(kinds[kind].list),
    onSettled: useRefreshCatalog(),
  })
  return (
    <FormDialog
      title={`Delete ${title}`}
      submit={`Delete the ${kind}`}
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      isDangerous
    >
      <p>{text}</p>
    </FormDialog>
  )
}

/** Saves a record. The page has what it is now before the dialog is closed, and after a conflict. */
export function useSaveRecord(save: () => Promise<unknown>, onSaved: () => void) {
  const refresh = useRefreshCatalog()
  return useMutation({
    mutationFn: save,
    onSettled: async (_, error) => {
      await refresh()
      if (error === null) onSaved()
    },
  })
}

/** Reads again what is shown of the catalog: the title or a number of a record is on pages of others, too. */
function useRefreshCatalog(): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [keys.anyVideo, keys.videos, keys.series, keys.playlists].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
}
