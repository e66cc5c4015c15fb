import { join } from 'node:path'

/**
 * Node keeps compiled code here between starts, which halves its time to ready; one who may not write to the folder
 * starts a little slower. Portable: a copy of the project that links the folder finds what the original compiled.
 */
export const compileCache = (project: string) => ({
  NODE_COMPILE_CACHE: join(project, 'node_modules/.cache/continuity'),
  NODE_COMPILE_CACHE_PORTABLE: '1',
})
