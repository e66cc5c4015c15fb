import { findViolations } from './architecture/check-dependencies.ts'
import { findImpurities } from './architecture/purity.ts'
import { readSourceFiles } from './architecture/source-files.ts'

const files = readSourceFiles()
const broken = [...findViolations(files), ...findImpurities(files)]
for (const line of broken) console.error(line)
console.log(`${files.length} files, ${broken.length} broken rules`)
process.exitCode = broken.length === 0 ? 0 : 1
