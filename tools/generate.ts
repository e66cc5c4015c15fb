import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles } from './architecture/generated-files.ts'
import { projectRoot } from './architecture/source-files.ts'

for (const { path, content } of generatedFiles()) {
  const file = join(projectRoot, path)
  const isFresh = existsSync(file) && readFileSync(file, 'utf8') === content
  if (!isFresh) writeFileSync(file, content)
  console.log(`${isFresh ? 'fresh  ' : 'written'} ${path}`)
}
