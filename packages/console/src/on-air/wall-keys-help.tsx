import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { wallKeys } from './wall-keys.ts'
import classes from './wall-keys-help.module.css'

export function WallKeysHelp() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setIsOpen(true)}>
        Keys
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={<strong>Keys on the wall of channels</strong>}
        lockScroll={false}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <dl className={classes['keys']}>
          {wallKeys.map(([key, effect]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
      </Modal>
    </>
  )
}
