import { Button, Group } from '@mantine/core'
import { CopyField } from '../shared/copy-field.tsx'
import { Dialog } from '../shared/form-dialog.tsx'
import classes from './access.module.css'

interface SecretDialogProps {
  readonly title: string
  readonly label: string
  readonly value: string
  readonly text: string
  readonly onClose: () => void
}

/** A secret that the service returns once. Only the button closes it: it cannot be shown again. */
export function SecretDialog({ title, label, value, text, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} isKept>
      <div className={classes['secret']}>
        <p>{text}</p>
        <CopyField label={label} value={value} />
        <p>
          <strong>It is shown only now.</strong> If it is lost, make another one.
        </p>
        <Group justify="flex-end">
          <Button onClick={onClose}>I have stored it</Button>
        </Group>
      </div>
    </Dialog>
  )
}
