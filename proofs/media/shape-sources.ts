export interface Drawing {
  readonly width: number
  readonly height: number
  readonly rate: string
  readonly seconds: number
  /** Pixel aspect ratio. */
  readonly pixelWidth: number
}

/** A bright disc on a dark moving background: wrong scaling turns it into an ellipse. */
export function drawing({ width, height, rate, seconds, pixelWidth }: Drawing): string {
  const radius = 0.35 * Math.min(width * pixelWidth, height)
  const isInside = `lt(hypot((X-W/2)*${pixelWidth},Y-H/2),${radius})`
  const light = `geq=lum='if(${isInside},225,32+12*sin((X+3*N)/9))':cb=128:cr=128`
  const size = `s=${width}x${height}:r=${rate}:d=${seconds}`
  return `color=${size},format=yuv420p,${light},setsar=${Math.round(pixelWidth * 900)}/900`
}

const tone = '0.04*sin(880*PI*t)*(1.2+sin(3*t))'

/** Sounds by kind: the lavfi source and encoder options. All are too quiet or too loud. */
export const sounds = {
  stereo: { source: `aevalsrc='${tone}|${tone}:s=48000'`, channels: 2, encoding: [] },
  mono: { source: `aevalsrc='${tone}:s=48000'`, channels: 1, encoding: [] },
  surround: {
    source: `aevalsrc='${tone}|${tone}|${tone}|0|${tone}|${tone}:s=48000:c=5.1'`,
    channels: 6,
    encoding: ['-b:a', '256k'],
  },
  cd: { source: `aevalsrc='9*${tone}|9*${tone}:s=44100'`, channels: 2, encoding: [] },
  // Clicks far above the rest: the gain that the rest needs would clip them.
  peaks: {
    source: `aevalsrc='0.2*${tone}+0.9*exp(-900*mod(t,1))|0.2*${tone}+0.9*exp(-900*mod(t,1)):s=48000'`,
    channels: 2,
    encoding: [],
  },
} as const satisfies Record<string, Sound>

interface Sound {
  readonly source: string
  readonly channels: number
  readonly encoding: readonly string[]
}
