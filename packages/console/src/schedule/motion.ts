/** Whether the grid moves. A store of its own: only rows that wait for the end of the movement are drawn again then. */
export interface Motion {
  readonly isMoving: () => boolean
  readonly set: (isMoving: boolean) => void
  readonly subscribe: (onChange: () => void) => () => void
}

export function createMotion(): Motion {
  const listeners = new Set<() => void>()
  let isMoving = false
  return {
    isMoving: () => isMoving,
    set(value) {
      if (isMoving === value) return
      isMoving = value
      for (const onChange of listeners) onChange()
    },
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
  }
}
