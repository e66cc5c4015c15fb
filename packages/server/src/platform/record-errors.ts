import { defineError } from './errors.ts'

/** Of a record that something else needs as it is. Several modules keep such records. */
export const RecordInUse = defineError('record.in_use', 409, 'The record is in use', (why: string) => why)
