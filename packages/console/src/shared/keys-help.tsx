import { Button, Modal } from '@mantine/core'
import { type PropsWithChildren, useState } from 'react'
import classes from './keys-help.module.css'

interface KeysHelpProps extends PropsWithChildren {
  readonly title: string
  readonly keys: readonly (readonly [keys: string, effect: string])[]
  readonly size?: 'xs' | 'sm'
}

/** A button that opens the list of a screen's keys, with more text below it. */
export function KeysHelp({ title, keys, size = 'sm', children }: KeysHelpProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" size={size} onClick={() => setIsOpen(true)}>
        Keys
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={<strong>{title}</strong>}
        lockScroll={false}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <dl className={classes['keys']}>
          {keys.map(([key, effect]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
        {children}
      </Modal>
    </>
  )
}
