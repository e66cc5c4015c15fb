import type { Draw } from '@continuity/dev/draw'
import type { ProgramDetails } from '../../timeline/span.ts'
import type { ChannelGuide } from '../channel-guide.ts'
import type { GuideEntry } from '../guide-entry.ts'

/** Texts that could break out of an element, be invalid XML, or be changed by a parser. */
const awkwardTexts: readonly string[] = [
  ...`& < > " ' ]]> <![CDATA[ <!-- --> </title> &amp; &#0; &lt;b&gt; <?xml \\ % {} News a 7`.split(' '),
  ...'\ude00\u0000\b\v\u001b\u007f\u0085\ufeff\ufffe\uffff\u{1fffe}\u{10ffff}\n\r\t \u00a0\u2028\u2029\ud83d',
  ...'😀 👩‍👩‍👧 \u202eabc שלום مرحبا 東京 กรุงเทพ e\u0301'.split(' '),
  '\r\n',
  '  ',
]

const aText = (draw: Draw, most = 8): string =>
  draw.chance(0.02)
    ? draw.one(awkwardTexts).repeat(50_000)
    : draw.some(0, most, () => draw.one(awkwardTexts)).join('')

/** A guide of up to three channels, with all kinds of text that a partner could send. */
export const randomGuide = (draw: Draw): ChannelGuide[] =>
  draw
    .some(0, 3, () => ({}))
    .map((_, at) => ({
      id: `channel-${at}`,
      names: draw.some(0, 2, () => aText(draw)),
      ...(draw.chance(0.5) ? { iconUrl: aText(draw) } : {}),
      entries: someEntries(draw),
    }))

function someEntries(draw: Draw): GuideEntry[] {
  let endMs = Date.UTC(2020 + draw.below(100), draw.below(12), 1) + draw.below(86_400_000)
  return draw
    .some(0, 10, () => ({}))
    .map((_, at) => {
      const startMs = endMs + draw.one([0, 0, 60_000])
      endMs = startMs + 1_000 + draw.below(7_200_000)
      const program = { id: `p${at}`, title: aText(draw), description: aText(draw, 40), startMs, endMs }
      return { program: { ...program, details: someDetails(draw) }, startMs, endMs }
    })
}

function someDetails(draw: Draw): ProgramDetails {
  const all: Required<ProgramDetails> = {
    seriesTitle: aText(draw),
    episodeTitle: aText(draw),
    seasonNumber: draw.below(20),
    episodeNumber: draw.below(2_000),
    genres: draw.some(0, 3, () => aText(draw)),
    imageUrl: aText(draw),
    parentalRating: aText(draw),
    language: aText(draw),
  }
  return Object.fromEntries(Object.entries(all).filter(() => draw.chance(0.7)))
}
