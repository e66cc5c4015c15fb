import { findCycles, findFolderCycles } from './find-cycles.ts'
import {
  allowedDependencies,
  entryPoints,
  moduleOf,
  moduleOfPackage,
  thirdParty,
  wireFiles,
  wireModules,
} from './modules.ts'
import { dependenciesOf, type SourceFile } from './source-files.ts'

/** Every import that breaks a dependency rule, and every cycle of files or folders. */
export function findViolations(files: readonly SourceFile[]): string[] {
  return [
    ...files.flatMap((file) => file.imports.flatMap((target) => checkImport(file, target))),
    ...findCycles(files),
    ...findFolderCycles(files),
  ]
}

function checkImport(file: SourceFile, target: string): string[] {
  const from = moduleOf(file.path)
  const isOurFile = target.startsWith('packages/')
  if (target.startsWith('../') || (!isOurFile && target.includes('tools/'))) {
    return [`${file.path} imports ${target}, which is not in a package`]
  }
  if (isOurFile && packageOf(target) !== packageOf(file.path)) {
    return [`${file.path} imports ${target} by its path; import the package by its name`]
  }
  const to = isOurFile ? moduleOf(target) : moduleOfPackage(target)
  if (to === undefined) return checkThirdParty(file.path, from, target)
  if (to === from) return []
  if (!isAllowed(file.path, from, to)) return [`${file.path}: ${from} may not depend on ${to}`]
  if (to.startsWith('modules/') && !entryPoints.test(target))
    return [`${file.path} imports an internal file of ${to}: ${target}`]
  return []
}

function isAllowed(path: string, from: string, to: string): boolean {
  const allowed = allowedDependencies[from] ?? []
  const isModule = to.startsWith('modules/')
  if (allowed.includes(to) || (isModule && allowed.includes('modules/*'))) return true
  return from.startsWith('modules/') && wireFiles.test(path) && wireModules.includes(to)
}

function checkThirdParty(path: string, module: string, target: string): string[] {
  const allowed = thirdParty[module] ?? ['node:', ...dependenciesOf(packageOf(path) ?? '')]
  const isAllowedName = (name: string) =>
    target === name || target.startsWith(name.endsWith(':') ? name : `${name}/`)
  return allowed.some(isAllowedName) ? [] : [`${path}: ${module} may not use ${target}`]
}

const packageOf = (path: string) => path.split('/')[1]
