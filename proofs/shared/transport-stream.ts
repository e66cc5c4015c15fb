/** The parts of an MPEG-TS segment (ISO 13818-1) that the checks need. Timestamps are in ticks. */
export interface Segment {
  readonly video: readonly VideoFrame[]
  readonly audio: readonly AudioPacket[]
  /** Missing packets and packets out of sequence. */
  readonly faults: readonly string[]
}

export interface VideoFrame {
  readonly pts: number
  readonly dts: number
  /** The types of its NAL units, in order (ITU-T H.264, table 7-1). */
  readonly units: readonly number[]
}

export interface AudioPacket {
  readonly pts: number
  /** AAC frames in it. */
  readonly frames: number
}

const PACKET = 188
const H264 = 0x1b
const AAC = 0x0f

export function readTransportStream(bytes: Buffer): Segment {
  const faults: string[] = []
  const streams = new Map<number, number>()
  const counters = new Map<number, number>()
  const parts = new Map<number, Buffer[]>()
  const found: { type: number; pes: Buffer }[] = []
  let tablePid = -1
  if (bytes.length % PACKET !== 0) faults.push(`${bytes.length} bytes are not whole packets`)
  const close = (pid: number) => {
    const open = parts.get(pid)
    if (open !== undefined) found.push({ type: streams.get(pid)!, pes: Buffer.concat(open) })
  }
  for (let at = 0; at + PACKET <= bytes.length; at += PACKET) {
    const packet = bytes.subarray(at, at + PACKET)
    if (packet[0] !== 0x47) return { video: [], audio: [], faults: [`no packet at byte ${at}`] }
    const pid = packet.readUInt16BE(1) & 0x1fff
    const isStart = (packet[1]! & 0x40) !== 0
    const payload = payloadOf(packet)
    if (payload === undefined) continue
    const counter = packet[3]! & 0x0f
    const before = counters.get(pid)
    if (before !== undefined && counter !== ((before + 1) & 0x0f))
      faults.push(`a packet of ${pid} is missing`)
    counters.set(pid, counter)
    if (pid === 0) tablePid = payload.readUInt16BE(payload[0]! + 11) & 0x1fff
    else if (pid === tablePid) for (const [stream, type] of readTable(payload)) streams.set(stream, type)
    else if (streams.has(pid)) {
      if (isStart) close(pid)
      if (isStart) parts.set(pid, [])
      parts.get(pid)?.push(payload)
    }
  }
  for (const pid of parts.keys()) close(pid)
  const of = (type: number) => found.filter((it) => it.type === type).map(({ pes }) => pes)
  return { video: of(H264).map(readVideo), audio: of(AAC).map(readAudio), faults }
}

function payloadOf(packet: Buffer): Buffer | undefined {
  const control = (packet[3]! >> 4) & 3
  if (control === 2) return undefined
  return packet.subarray(control === 3 ? 5 + packet[4]! : 4)
}

/** The streams of a program by packet id. */
function readTable(payload: Buffer): (readonly [number, number])[] {
  const section = payload.subarray(1 + payload[0]!)
  const end = 3 + (section.readUInt16BE(1) & 0x0fff) - 4
  const streams: (readonly [number, number])[] = []
  let at = 12 + (section.readUInt16BE(10) & 0x0fff)
  while (at < end) {
    streams.push([section.readUInt16BE(at + 1) & 0x1fff, section[at]!])
    at += 5 + (section.readUInt16BE(at + 3) & 0x0fff)
  }
  return streams
}

function readVideo(pes: Buffer): VideoFrame {
  const units: number[] = []
  const data = pes.subarray(9 + pes[8]!)
  for (let at = data.indexOf(START); at !== -1; at = data.indexOf(START, at + 3))
    units.push(data[at + 3]! & 0x1f)
  return { ...readTimes(pes), units }
}

const START = Buffer.from([0, 0, 1])

function readAudio(pes: Buffer): AudioPacket {
  const data = pes.subarray(9 + pes[8]!)
  let frames = 0
  for (let at = 0; at + 7 <= data.length; frames += 1) {
    if (data.readUInt16BE(at) >> 4 !== 0xfff) break
    at += ((data[at + 3]! & 3) << 11) | (data[at + 4]! << 3) | (data[at + 5]! >> 5)
  }
  return { pts: readTimes(pes).pts, frames }
}

function readTimes(pes: Buffer): { readonly pts: number; readonly dts: number } {
  const pts = readTime(pes, 9)
  return { pts, dts: (pes[7]! & 0x40) === 0 ? pts : readTime(pes, 14) }
}

/** 33 bits with a marker after each part. */
function readTime(pes: Buffer, at: number): number {
  const high = (pes[at]! >> 1) & 7
  return high * 2 ** 30 + (pes.readUInt16BE(at + 1) >> 1) * 2 ** 15 + (pes.readUInt16BE(at + 3) >> 1)
}
