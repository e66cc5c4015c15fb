import { isProblem } from '@continuity/client'
import { Alert, Button, Group, Modal } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import classes from './form-dialog.module.css'
import { commandProblemText } from './problem-text.ts'

interface FormDialogProps {
  readonly title: string
  readonly submit: string
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly isSending: boolean
  readonly error: Error | null
  /** Why it cannot be sent as it is. */
  readonly reason?: string | undefined
  readonly isDangerous?: boolean
  readonly children: ReactNode
}

/** A form in a dialog. It stays open until the service has accepted it. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, onSubmit, onClose, isSending, error, reason, isDangerous = false, children } = props
  // It would fail again: what the user has seen is not what it is now.
  const isOutdated = isProblem(error, 'record.changed')
  const isDisabled = reason !== undefined || isOutdated
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isDisabled) onSubmit()
  }
  const form = useShownFault(isSending)
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} className={classes['form']} onSubmit={send}>
        {children}
        {error !== null && (
          <Alert color="red" role="alert">
            {commandProblemText(error)}
          </Alert>
        )}
        {reason !== undefined && <p className={classes['hint']}>{reason}</p>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={isDangerous ? 'red.9' : 'blue.9'}
            loading={isSending}
            disabled={isDisabled}
            // A field that has the focus first is before it in the document.
            data-autofocus={!isDisabled || undefined}
          >
            {error === null || isOutdated ? submit : 'Try again'}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

/** After a form was sent, what was wrong with it may be out of sight: the field gets the focus, or the end is shown. */
export function useShownFault(isSending: boolean) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isSending) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (field) field.focus()
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' })
  }, [isSending])
  return form
}

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** Of a dialog whose content is lost when it is closed. */
  readonly isKept?: boolean
  readonly children: ReactNode
}

export function Dialog({ title, onClose, isKept = false, children }: DialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong>{title}</strong>}
      size="lg"
      // The lock would add a style element, which the content security policy does not allow.
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      closeOnClickOutside={!isKept}
      closeOnEscape={!isKept}
      withCloseButton={!isKept}
    >
      {children}
    </Modal>
  )
}
