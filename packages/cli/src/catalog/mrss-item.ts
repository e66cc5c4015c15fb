/** An item of an MRSS file, unconverted. */
export interface MrssItem {
  /** The line that it begins at. */
  readonly line: number
  /** The text of each element; of several, the first that is not empty. */
  readonly texts: Map<TextElement, string>
  readonly categories: string[]
  readonly contents: Attributes[]
  readonly thumbnails: Attributes[]
  /** It exceeds every limit of the service. */
  isTooLarge: boolean
}

export type Attributes = Readonly<Record<string, string>>

/** The text elements that are read. `media:category` may occur several times, of the others the first counts. */
export const textElements = [
  'guid',
  'title',
  'description',
  'pubDate',
  'media:title',
  'media:description',
  'media:keywords',
  'media:rating',
  'media:category',
  'dcterms:valid',
] as const
export type TextElement = (typeof textElements)[number]

export const newItem = (line: number): MrssItem => ({
  line,
  texts: new Map(),
  categories: [],
  contents: [],
  thumbnails: [],
  isTooLarge: false,
})
