/**
 * What a record is locked for. Whoever names it in a record of its own goes on
 * while it is changed; a deletion waits for all of them, and they for it.
 */
export type LockFor = 'change' | 'delete'
