import { Button } from '@mantine/core'
import classes from './pager.module.css'

interface PagerProps {
  readonly label: string
  /** What is shown of how much. */
  readonly text: string
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
}

export function Pager({ label, text, onPrevious, onNext }: PagerProps) {
  return (
    <nav className={classes['pager']} aria-label={label}>
      <span role="status">{text}</span>
      {(onPrevious !== undefined || onNext !== undefined) && (
        <>
          <Button size="xs" variant="default" disabled={onPrevious === undefined} onClick={onPrevious}>
            Previous
          </Button>
          <Button size="xs" variant="default" disabled={onNext === undefined} onClick={onNext}>
            Next
          </Button>
        </>
      )}
    </nav>
  )
}
