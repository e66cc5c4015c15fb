import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundRefused } from '../../platform/guarded-fetch/outbound-refused.ts'
import { RunTooLong } from '../../platform/jobs/job-errors.ts'
import { StoreUnavailable } from '../../platform/media-store/store-unavailable.ts'
import { finalReasonOf } from './final-reason.ts'
import { MediaRefused } from './packaging/media-refused.ts'

const refused = (isFinal: boolean) => new OutboundRefused('fetch.status', 'The server said no.', { isFinal })
const running = new AbortController().signal
const stopped = AbortSignal.abort(new Error('the worker ends'))

/** The code of the reason why an asset is given up; undefined where it is tried again. */
const codeOf = (error: unknown, isLastTry: boolean, signal = running) =>
  finalReasonOf(error, { isLastTry, signal })?.code

test('what the file or its address is to blame for is final at the first try, also of a worker that stops', () => {
  const media = new MediaRefused('media.no_video', 'There is no picture in it.')

  for (const signal of [running, stopped]) {
    assert.equal(codeOf(media, false, signal), 'media.no_video')
    assert.equal(codeOf(refused(true), false, signal), 'fetch.status')
  }
})

test('a run that took too long is final at the first try', () => {
  assert.equal(codeOf(new Error('aborted'), false, AbortSignal.abort(new RunTooLong(1))), 'asset.gave_up')
})

test('what may pass is final when no try is left, and not before', () => {
  const faults = [
    [refused(false), 'fetch.status'],
    [new StoreUnavailable('store.full', new Error('ENOSPC /mnt/media')), 'store.full'],
    [new Error('whatever'), 'asset.gave_up'],
  ] as const

  for (const [fault, code] of faults) {
    assert.equal(codeOf(fault, false), undefined)
    assert.equal(codeOf(fault, true), code)
  }
})

test('a worker that stops, or has lost its job, gives nothing up, also at the last try', () => {
  for (const fault of [refused(false), new Error('aborted')])
    assert.equal(codeOf(fault, true, stopped), undefined)
})

test('a reason names no place of ours', () => {
  const fault = new StoreUnavailable('store.unreachable', new Error('ENOENT /mnt/media'))

  const reason = finalReasonOf(fault, { isLastTry: true, signal: running })

  assert.doesNotMatch(reason!.message, /mnt/)
})
