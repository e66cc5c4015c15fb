/** The part of m3u8-parser that is used here; the package has no types of its own. */
declare module 'm3u8-parser' {
  interface ParsedSegment {
    readonly uri: string
    readonly duration: number
    readonly discontinuity?: boolean
    readonly dateTimeObject?: Date
  }

  interface Manifest {
    readonly mediaSequence?: number
    readonly discontinuitySequence?: number
    readonly targetDuration?: number
    readonly segments: readonly ParsedSegment[]
  }

  export class Parser {
    readonly manifest: Manifest
    on(event: 'warn' | 'error', listener: (event: { readonly message: string }) => void): void
    push(text: string): void
    end(): void
  }
}
