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
  const reasonOf = useReasons(channels)
  return kinds.map((kind) => {
    const reason = reasonOf(kind)
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

/** Why buttons are disabled, as text: a touch screen shows no title. */
export function SwitchReasons({ channel, className }: { channel: Channel; className: string | undefined }) {
  const reasonOf = useReasons([channel])
  const reasons = new Set(kinds.map(reasonOf).filter((reason) => reason !== undefined))
  return [...reasons].map((reason) => (
    <p key={reason} className={className}>
      {reason}.
    </p>
  ))
}

function useReasons(channels: readonly Channel[]): (kind: SwitchKind) => string | undefined {
  const mayCall = useMayCall()
  return (kind) => {
    if (!mayCall(operationOf[kind])) return `Needs ${rolesFor(operationOf[kind])}`
    if (channels.length === 0) return 'Select channels first'
    const reasons = channels.map((channel) => reasonAgainst(kind, channel))
    return reasons.includes(undefined) ? undefined : reasons[0]
  }
}
