import { join } from 'node:path'
import type { DemoChannel, DemoFilm } from './library.ts'
import { makeFilm } from './make-film.ts'

export interface FilmMaking {
  /** Resolves when a file is made, by its name. One that cannot be made is a fault of its request, and of no other. */
  made(name: string): Promise<void>
  /** Makes all the others, one after another. */
  makeRest(): void
}

export const fileOf = ({ id }: DemoFilm): string => `${id}.mp4`

/** Makes the first film of the first channel at once, and the others when they are wanted: two cores make one in seconds. */
export function makeFilms(channels: readonly DemoChannel[], folder: string, signal: AbortSignal): FilmMaking {
  const made = new Map<string, Promise<void>>()
  const rest = Promise.withResolvers<void>()
  let last: Promise<unknown> = Promise.resolve()
  for (const [at, film] of channels.flatMap(({ films }) => films).entries()) {
    const one = (at === 1 ? rest.promise : last).then(() =>
      makeFilm(film, join(folder, fileOf(film)), signal),
    )
    last = one.catch(() => {})
    made.set(fileOf(film), one)
  }
  return { made: async (name) => made.get(name), makeRest: rest.resolve }
}
