import { dirname } from 'node:path/posix'
import type { SourceFile } from './source-files.ts'

/** Cycles of files that import each other. */
export const findCycles = (files: readonly SourceFile[]): string[] => {
  const known = new Set(files.map(({ path }) => path))
  const graph = new Map(
    files.map(({ path, imports }) => [path, new Set(imports.filter((target) => known.has(target)))]),
  )
  return cyclesOf(graph).map((cycle) => `import cycle: ${cycle.join(' -> ')}`)
}

/** Cycles of folders whose files import each other, inside a package. */
export function findFolderCycles(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map(({ path }) => path))
  const graph = new Map<string, Set<string>>()
  const example = new Map<string, string>()
  for (const { path, imports } of files) {
    const from = dirname(path)
    for (const target of imports.filter((it) => known.has(it))) {
      const to = dirname(target)
      if (to === from) continue
      graph.set(from, (graph.get(from) ?? new Set()).add(to))
      example.set(`${from} ${to}`, `${path} imports ${target}`)
    }
  }
  return cyclesOf(graph).map((cycle) => {
    const reasons = cycle.slice(1).map((to, index) => example.get(`${cycle[index]} ${to}`))
    return `folder cycle: ${cycle.join(' -> ')} (${reasons.join('; ')})`
  })
}

/** Each cycle that a depth-first search closes, from the node that it returns to. */
function cyclesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const done = new Set<string>()
  const found: string[][] = []
  const visit = (node: string, trail: readonly string[]) => {
    const start = trail.indexOf(node)
    if (start !== -1) {
      found.push([...trail.slice(start), node])
      return
    }
    if (done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return found
}
