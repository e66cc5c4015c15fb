#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// The command of a clone. Without the cache, each start would remove the types from a hundred files again.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/continuity'))
await import('./continuity.ts')
