import type { MediaRefusal } from '@continuity/core/packaging/media-facts'

/** The file is to blame: no further try can package it. */
export class MediaRefused extends Error {
  override readonly name = 'MediaRefused'
  readonly code: MediaRefusal

  constructor(code: MediaRefusal, message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** The disk has no room. Another try may find some. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
  readonly code = 'ENOSPC'
}

/** Segments are missing or not whole: something was in the way of writing them. Another try may do better. */
export class TornPackage extends Error {
  override readonly name = 'TornPackage'

  constructor(file: string) {
    super(`${file} was not written as it should have been`)
  }
}
