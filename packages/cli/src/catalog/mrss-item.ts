/** An item of an MRSS file as it is written there. */
export interface MrssItem {
  /** The line that it begins at. */
  readonly line: number
  /** Text of each element, the first that is not empty. */
  readonly texts: Map<TextElement, string>
  readonly categories: string[]
  readonly contents: Attributes[]
  readonly thumbnails: Attributes[]
  /** It is larger than anything that the service takes. */
  isTooLarge: boolean
}

export type Attributes = Readonly<Record<string, string>>

/** What is kept of an item. `media:category` may come several times, the others count once. */
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
