import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '@continuity/dev/project-root'
import { generatedFiles } from './architecture/generated-files.ts'

/** Writes the generated files that are not fresh; with `--check` it only finds them. */
const isCheck = process.argv.includes('--check')
for (const { path, content } of generatedFiles()) {
  const file = join(projectRoot, path)
  if (existsSync(file) && readFileSync(file, 'utf8') === content) {
    if (!isCheck) console.log(`fresh   ${path}`)
  } else if (isCheck) {
    console.log(`${path} is not fresh: run npm run generate`)
    process.exitCode = 1
  } else {
    writeFileSync(file, content)
    console.log(`written ${path}`)
  }
}
