/**
 * The CODECS attribute (RFC 6381) of a segment that we made: profile and level
 * stand in the parameter set, which comes first in its stream. Undefined where there is none.
 */
export function readCodecs(segment: Uint8Array): string | undefined {
  // A start code, and the type of a sequence parameter set with the priority that x264 gives it.
  for (let at = 0; at + 6 < segment.length; at += 1) {
    if (segment[at] !== 0 || segment[at + 1] !== 0 || segment[at + 2] !== 1) continue
    if ((segment[at + 3]! & 0x1f) !== 7) continue
    const bytes = segment.subarray(at + 4, at + 7)
    return `avc1.${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')},mp4a.40.2`
  }
  return undefined
}
