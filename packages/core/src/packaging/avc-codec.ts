/**
 * The CODECS attribute (RFC 6381) of a segment in the house format: profile and level are in the parameter set
 * at the start of the stream. Undefined without one.
 */
export function readCodecs(segment: Uint8Array): string | undefined {
  // A start code, and the type of a sequence parameter set with the priority that x264 uses.
  for (let at = 0; at + 6 < segment.length; at += 1) {
    if (segment[at] !== 0 || segment[at + 1] !== 0 || segment[at + 2] !== 1) continue
    if ((segment[at + 3]! & 0x1f) !== 7) continue
    const bytes = segment.subarray(at + 4, at + 7)
    return `avc1.${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')},mp4a.40.2`
  }
  return undefined
}
