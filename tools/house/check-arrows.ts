import { arrows, faces, outside, roomOf, roomOfPackage, wireFiles, wireRooms } from './rooms.ts'
import { dependenciesOf, type SourceFile } from './source-files.ts'

/** Everything that breaks a rule of the house, in words. */
export function findBrokenArrows(files: readonly SourceFile[]): string[] {
  return [
    ...files.flatMap((file) => file.imports.flatMap((target) => checkImport(file, target))),
    ...findCycles(files),
  ]
}

function checkImport(file: SourceFile, target: string): string[] {
  const from = roomOf(file.path)
  const isOurFile = target.startsWith('packages/')
  if (target.startsWith('../') || (!isOurFile && target.includes('tools/'))) {
    return [`${file.path} imports ${target}, which is not in a package`]
  }
  if (isOurFile && packageOf(target) !== packageOf(file.path)) {
    return [`${file.path} reaches into ${target}; import the package by its name`]
  }
  const to = isOurFile ? roomOf(target) : roomOfPackage(target)
  if (to === undefined) return checkOutside(file.path, from, target)
  if (to === from) return []
  if (!isAllowed(file.path, from, to)) return [`${file.path}: there is no arrow ${from} -> ${to}`]
  if (to.startsWith('modules/') && !faces.test(target))
    return [`${file.path} imports past the face of ${to}: ${target}`]
  return []
}

function isAllowed(path: string, from: string, to: string): boolean {
  const allowed = arrows[from] ?? []
  const isModule = to.startsWith('modules/')
  if (allowed.includes(to) || (isModule && allowed.includes('modules/*'))) return true
  return from.startsWith('modules/') && wireFiles.test(path) && wireRooms.includes(to)
}

function checkOutside(path: string, room: string, target: string): string[] {
  const allowed = outside[room] ?? ['node:', ...dependenciesOf(packageOf(path) ?? '')]
  const isAllowedName = (name: string) =>
    target === name || target.startsWith(name.endsWith(':') ? name : `${name}/`)
  return allowed.some(isAllowedName) ? [] : [`${path}: ${room} may not use ${target}`]
}

const packageOf = (path: string) => path.split('/')[1]

/** Files that import each other in a circle, each circle told once. */
function findCycles(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()
  const found: string[] = []

  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path)
    if (start !== -1) {
      found.push(`a circle: ${[...trail.slice(start), path].join(' -> ')}`)
      return
    }
    if (done.has(path)) return
    for (const target of byPath.get(path)?.imports ?? [])
      if (byPath.has(target)) visit(target, [...trail, path])
    done.add(path)
  }
  for (const { path } of files) visit(path, [])
  return found
}

/** The arrows that are really there, as a diagram. */
export function drawRooms(files: readonly SourceFile[]): string {
  const edges = new Set<string>()
  for (const file of files) {
    const from = roomOf(file.path)
    for (const target of file.imports) {
      const to = target.startsWith('packages/') ? roomOf(target) : roomOfPackage(target)
      if (to !== undefined && to !== from) edges.add(`  ${nodeOf(from)} --> ${nodeOf(to)}`)
    }
  }
  return ['```mermaid', 'graph TD', ...[...edges].toSorted(), '```'].join('\n')
}

const nodeOf = (room: string) => `${room.replaceAll('/', '_')}["${room}"]`
