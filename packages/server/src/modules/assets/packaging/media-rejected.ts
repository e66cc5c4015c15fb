import type { MediaRejectionCode } from '@continuity/core/packaging/media-facts'

/** The file itself is at fault: no further attempt can package it. */
export class MediaRejected extends Error {
  override readonly name = 'MediaRejected'
  readonly code: MediaRejectionCode

  constructor(code: MediaRejectionCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** The disk is full. Another attempt may succeed. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
  readonly code = 'ENOSPC'
}

/** Segments are missing or incomplete, because writing failed. Another attempt may succeed. */
export class TornPackage extends Error {
  override readonly name = 'TornPackage'

  constructor(file: string) {
    super(`${file} was not written as it should have been`)
  }
}
