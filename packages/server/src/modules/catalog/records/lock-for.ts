/**
 * What a record is locked for. A change does not block writes that reference the
 * record; a deletion does, and waits for them.
 */
export type LockFor = 'change' | 'delete'
