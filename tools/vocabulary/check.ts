import { findInProject } from './find-in-project.ts'

/** Prints every banned word below the given paths (all of the project without one). */
const findings = findInProject(process.argv.slice(2))
for (const { path, line, word, use, text } of findings) {
  console.log(`${path}:${line}  ${word} -> ${use}\n    ${text.slice(0, 160)}`)
}
console.log(`${findings.length} banned words`)
process.exitCode = findings.length === 0 ? 0 : 1
