import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { gridKeys } from './grid-keys.ts'
import classes from './schedule-page.module.css'

export function ScheduleKeysHelp() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setIsOpen(true)}>
        Keys
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={<strong>Keys and mouse on the schedule</strong>}
        lockScroll={false}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <dl className={classes['keys']}>
          {gridKeys.map(([key, effect]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
        <p className={classes['hint']}>
          With the mouse: drag a program to another time, or draw a new one over time without a program. A
          dialog follows; nothing is sent before you confirm it.
        </p>
      </Modal>
    </>
  )
}
