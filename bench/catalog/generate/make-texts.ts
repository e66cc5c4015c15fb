import type { VideoRecord } from '../../../packages/server/src/modules/catalog/records/video-record.ts'
import type { PlannedSeries } from './catalog-plan.ts'
import type { Language, Vocabulary } from './vocabulary.ts'

/** Share of an episode's words that are from its series' topic. */
const TOPIC_SHARE = 0.2

type Texts = Pick<VideoRecord, 'title' | 'description' | 'keywords'>

/** The texts of a video: words by frequency, some of them from its series. */
export function makeTexts(
  vocabulary: Vocabulary,
  random: () => number,
  language: Language,
  series: PlannedSeries | undefined,
): Texts {
  const spelled = vocabulary.spelled[language]
  const word = () => {
    const isOfTopic = series !== undefined && random() < TOPIC_SHARE
    return spelled[
      isOfTopic ? series.topic[Math.floor(random() * series.topic.length)]! : vocabulary.pick(random)
    ]!
  }
  const words = (count: number) => Array.from({ length: count }, word)
  const own = sentence(words(2 + Math.floor(random() * 3)))
  return {
    title: series?.isTitleShown === true ? `${seriesTitleOf(vocabulary, series)}: ${own}` : own,
    description: describe(words, random),
    keywords: Array.from({ length: 2 + Math.floor(random() * 5) }, () =>
      words(random() < 0.2 ? 2 : 1).join(' '),
    ),
  }
}

export const seriesTitleOf = ({ spelled }: Vocabulary, { language, title }: PlannedSeries): string =>
  sentence(title.map((rank) => spelled[language][rank]!))

/** Two to six sentences, most of them short. */
function describe(words: (count: number) => string[], random: () => number): string {
  const sentences = 2 + Math.floor(random() ** 2 * 5)
  return Array.from({ length: sentences }, () => `${sentence(words(6 + Math.floor(random() * 10)))}.`).join(
    ' ',
  )
}

const sentence = (words: readonly string[]) => {
  const text = words.join(' ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
