import { Button } from '@mantine/core'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import type { Channel } from '../shared/wire-types.ts'
import { operationOf, reasonAgainst, type SwitchKind, titles } from './switch-rules.ts'

const kinds = ['live', 'slate', 'return'] as const

interface SwitchButtonsProps {
  readonly channels: readonly Channel[]
  readonly onOpen: (kind: SwitchKind) => void
  readonly size?: 'xs' | 'md'
}

/** Each is disabled with its reason where no channel allows it. */
export function SwitchButtons({ channels, onOpen, size = 'xs' }: SwitchButtonsProps) {
  const mayCall = useMayCall()
  return kinds.map((kind) => {
    const operation = operationOf[kind]
    const reasons = channels.map((channel) => reasonAgainst(kind, channel))
    const reason = !mayCall(operation)
      ? `Needs ${rolesFor(operation)}`
      : channels.length === 0
        ? 'Select channels first'
        : reasons.includes(undefined)
          ? undefined
          : reasons[0]
    return (
      <Button
        key={kind}
        size={size}
        variant={kind === 'return' ? 'default' : 'filled'}
        color={kind === 'return' ? 'blue' : 'red.9'}
        disabled={reason !== undefined}
        title={reason}
        onClick={() => onOpen(kind)}
      >
        {titles[kind]}
      </Button>
    )
  })
}
