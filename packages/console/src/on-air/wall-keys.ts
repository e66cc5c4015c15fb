import type { KeyboardEvent } from 'react'
import { navigate } from '../shared/router.tsx'
import type { SwitchKind } from './switch-rules.ts'

export interface WallCommands {
  readonly toggleSelected: (channelId: string) => void
  readonly togglePlaying: (channelId: string) => void
  readonly selectAll: () => void
  readonly selectNone: () => void
  /** For what is selected, or else the channel in focus. */
  readonly openSwitch: (kind: SwitchKind, focusedId: string) => void
}

export const wallKeys: readonly (readonly [keys: string, effect: string])[] = [
  ['Arrow keys', 'Move between channels'],
  ['Enter', 'Open the channel'],
  ['X', 'Select or deselect the channel'],
  ['A', 'Select all channels that are shown'],
  ['Escape', 'Deselect all'],
  ['P', 'Play or stop the video of the channel'],
  ['L', 'Cut to a live source: the selected channels, or the one in focus'],
  ['S', 'Rescue slate'],
  ['R', 'Return to schedule'],
]

const switches: Readonly<Record<string, SwitchKind>> = { l: 'live', s: 'slate', r: 'return' }

/** Single keys work only while the focus is on the wall, so that they never interfere with typing. */
export function handleWallKey(event: KeyboardEvent<HTMLElement>, commands: WallCommands): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const tile = (event.target as HTMLElement).closest<HTMLElement>('[data-channel]')
  const id = tile?.dataset['channel']
  if (tile === null || id === undefined) return
  const run = commandFor(event.key, id, tile, commands)
  if (run === undefined) return
  event.preventDefault()
  run()
}

function commandFor(
  key: string,
  id: string,
  tile: HTMLElement,
  commands: WallCommands,
): (() => void) | undefined {
  const name = key.toLowerCase()
  const kind = switches[name]
  if (kind !== undefined) return () => commands.openSwitch(kind, id)
  switch (name) {
    case 'arrowright':
      return () => focusTile(tile.nextElementSibling)
    case 'arrowleft':
      return () => focusTile(tile.previousElementSibling)
    case 'arrowdown':
      return () => focusTile(tileInNextRow(tile, 1))
    case 'arrowup':
      return () => focusTile(tileInNextRow(tile, -1))
    case 'x':
      return () => commands.toggleSelected(id)
    case 'a':
      return commands.selectAll
    case 'escape':
      return commands.selectNone
    case 'p':
      return () => commands.togglePlaying(id)
    case 'o':
      return () => navigate(`/on-air/${id}`)
    default:
      return undefined
  }
}

export function focusTile(tile: Element | null | undefined): void {
  tile?.querySelector<HTMLElement>('a')?.focus()
}

/** The tile above or below: the next one in that direction with the same left edge. */
function tileInNextRow(tile: HTMLElement, direction: 1 | -1): HTMLElement | undefined {
  const tiles = [...(tile.parentElement?.children ?? [])] as HTMLElement[]
  const at = tiles.indexOf(tile)
  const rest = direction === 1 ? tiles.slice(at + 1) : tiles.slice(0, at).reverse()
  return rest.find(({ offsetLeft }) => offsetLeft === tile.offsetLeft)
}
