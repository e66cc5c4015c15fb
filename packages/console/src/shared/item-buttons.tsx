import { ActionIcon } from '@mantine/core'

interface ItemButtonsProps<T> {
  readonly items: readonly T[]
  readonly at: number
  readonly onChange: (items: readonly T[]) => void
}

/** Move an item of a list up or down, or remove it. */
export function ItemButtons<T>({ items, at, onChange }: ItemButtonsProps<T>) {
  const swap = (other: number) => onChange(items.with(at, items[other]!).with(other, items[at]!))
  return (
    <>
      <ActionIcon
        variant="default"
        aria-label={`Item ${at + 1} up`}
        disabled={at === 0}
        onClick={() => swap(at - 1)}
      >
        ↑
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={`Item ${at + 1} down`}
        disabled={at === items.length - 1}
        onClick={() => swap(at + 1)}
      >
        ↓
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={`Remove item ${at + 1}`}
        onClick={() => onChange(items.toSpliced(at, 1))}
      >
        ×
      </ActionIcon>
    </>
  )
}
