import { Button, CopyButton } from '@mantine/core'
import classes from './copy-field.module.css'

/** A value to take elsewhere: it can be selected, and copied with a button. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <div className={classes['field']}>
      <span className={classes['label']}>{label}</span>
      <code className={classes['value']}>{value}</code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" aria-label={`Copy ${label}`} onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}
