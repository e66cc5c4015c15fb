import type { OutputWatch } from './output-watch.ts'

/** This long after its start a program is in all playlists. */
export const SHOWN_MS = 15_000

/** Whether viewers saw different media before and after a time. */
export function isShown(watch: OutputWatch, startMs: number): boolean {
  const folderOf = (uri: string) => uri.slice(0, uri.lastIndexOf('/'))
  const listed = watch.listed()
  const [before, after] = [
    listed.findLast((it) => it.startMs < startMs - 2_000),
    listed.find((it) => it.startMs > startMs + 2_000),
  ]
  return before !== undefined && after !== undefined && folderOf(before.uri) !== folderOf(after.uri)
}
