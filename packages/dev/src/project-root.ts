import { join } from 'node:path'

/** The folder of this repository. */
export const projectRoot = join(import.meta.dirname, '../../..')
