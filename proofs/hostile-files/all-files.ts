import { largePictures, longFiles } from './bombs.ts'
import { damagedFiles } from './damaged.ts'
import { documents, listsOfLinks, subtitles } from './documents.ts'
import type { Bait, HostileFile } from './hostile-file.ts'
import { awkwardNames, noMedia, noMovingPicture } from './other-files.ts'
import { playlists } from './playlists.ts'
import { manifests, scripts } from './scripts.ts'
import { badServers } from './servers.ts'
import type { Sources } from './source-files.ts'

/** Every file, with a unique name: its kind is the prefix. */
export const allFiles = (sources: Sources, bait: Bait, random: () => number): readonly HostileFile[] =>
  [
    ...badServers(bait),
    ...playlists(bait),
    ...scripts(bait),
    ...manifests(bait),
    ...listsOfLinks(bait),
    ...documents(bait),
    ...subtitles(bait),
    ...damagedFiles(sources, bait),
    ...largePictures(sources),
    ...longFiles(sources),
    ...noMedia(sources, random),
    ...awkwardNames(sources),
    ...noMovingPicture(sources),
  ].map((file) => ({ ...file, name: `${file.kind.replaceAll(' ', '-')}-${file.name}` }))

/** All, or those that certainly lead to the bait and one of each kind. */
export function choose(
  files: readonly HostileFile[],
  isAll: boolean,
  random: () => number,
): readonly HostileFile[] {
  if (isAll) return files
  const certain = leading(files, false)
  const kinds = Map.groupBy(
    files.filter((file) => !certain.includes(file)),
    ({ kind }) => kind,
  )
  return [...certain, ...[...kinds.values()].map((those) => those[Math.floor(random() * those.length)]!)]
}

/** The files that lead to the bait: the first of each kind does so for certain. */
export function leading(files: readonly HostileFile[], isAll: boolean): readonly HostileFile[] {
  const kinds = (['playlist', 'script', 'manifest'] as const).map((kind) =>
    files.filter((file) => file.kind === kind),
  )
  return kinds.flatMap((those) => (isAll ? those : those.slice(0, 1)))
}
