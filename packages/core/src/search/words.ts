import { foldText } from '../text/fold-text.ts'

/** What is longer is a number or noise; so much of it tells it apart, and what an index holds stays small. */
const WORD_LENGTH = 64

/** "don't" and "dont" are one word. */
const INNER_APOSTROPHE = /(?<=[\p{L}\p{N}\p{M}])'(?=[\p{L}\p{N}\p{M}])/gu

const PLAIN = /^[\x20-\x7e]*$/
const PLAIN_APOSTROPHE = /(?<=[a-z0-9])'(?=[a-z0-9])/g

/**
 * Letters of scripts that are written without spaces. Only a dictionary could
 * tell where a word ends in those; taken one by one, letters next to each other
 * find every part of a text.
 */
const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const UNSPACED = `[[${unspacedScripts.map((script) => `\\p{scx=${script}}`).join('')}]&&[\\p{L}\\p{N}]]`
const WORD = new RegExp(`${UNSPACED}\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--${UNSPACED}]+`, 'gv')

/** The words of a text as they are searched, in their order. */
export function wordsOf(text: string): string[] {
  const folded = foldText(text)
  // The same for most texts, in a fraction of the time.
  if (PLAIN.test(folded)) return (folded.replaceAll(PLAIN_APOSTROPHE, '').match(/[a-z0-9]+/g) ?? []).map(cut)
  // What an apostrophe kept apart may be one character without it.
  const joined = folded.replaceAll(INNER_APOSTROPHE, '').normalize('NFC')
  return (joined.match(WORD) ?? []).map(cut)
}

const cut = (word: string) =>
  word.length <= WORD_LENGTH ? word : Array.from(word).slice(0, WORD_LENGTH).join('')
