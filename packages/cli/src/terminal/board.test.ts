import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onTerminal } from '../testing/on-terminal.ts'
import { createBoard } from './board.ts'

function aBoard() {
  const written: string[] = []
  const board = createBoard({ isTerminal: true, columns: () => 80, write: (text) => void written.push(text) })
  return { board, seen: () => onTerminal(written.join('')) }
}

test('lines are redrawn, and removed lines are cleared', () => {
  const { board, seen } = aBoard()

  board.draw(['Harbour Nights', 'one is long', 'two'])
  board.draw(['Harbour Nights', 'one'])

  assert.deepEqual(seen(), ['Harbour Nights', 'one'])
})

test('a logged line stays above, without control characters', () => {
  const { board, seen } = aBoard()

  board.draw(['Harbour Nights', 'one'])
  board.log('No answer \u001b[2J')
  board.draw(['Harbour Nights', 'two'])

  assert.deepEqual(seen(), ['No answer □[2J', 'Harbour Nights', 'two'])
})
