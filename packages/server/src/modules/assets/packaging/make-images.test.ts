import assert from 'node:assert/strict'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeImages } from './make-images.ts'
import { aPackaging, ffmpeg } from './testing/a-packaging.ts'

const { signal } = new AbortController()

test('a picture becomes three, and none is larger than the original', async (t) => {
  const { root, deps } = await aPackaging(t)
  const file = join(root, 'picture')
  const folder = join(root, 'images')
  await ffmpeg(`-f lavfi -i testsrc2=s=800x450 -frames:v 1 -f image2 -c:v png ${file}`)

  const made = await makeImages(deps, { file, folder, signal })

  assert.deepEqual(made, [
    { name: '320.jpg', width: 320, height: 180 },
    { name: '640.jpg', width: 640, height: 360 },
    { name: '1280.jpg', width: 800, height: 450 },
  ])
})

test('JPEG, WebP and GIF are pictures too, whatever they are called', async (t) => {
  const { root, deps } = await aPackaging(t)
  const file = join(root, 'picture-%d.png')
  for (const codec of ['-c:v mjpeg -f image2', '-c:v libwebp -f webp', '-c:v gif -f gif']) {
    await ffmpeg(`-f lavfi -i testsrc2=s=160x90 -frames:v 1 ${codec} ${join(root, 'made')}`)
    await rename(join(root, 'made'), file)

    const made = await makeImages(deps, { file, folder: join(root, 'images'), signal })

    assert.deepEqual(
      made.map(({ width }) => width),
      [160, 160, 160],
    )
  }
})

test('a file that is not a picture is rejected', async (t) => {
  const { root, deps } = await aPackaging(t)
  const [svg, broken, bomb] = [join(root, 'svg'), join(root, 'broken'), join(root, 'bomb')]
  await writeFile(svg, '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>')
  await writeFile(broken, Buffer.from('89504e470d0a1a0a0000000d49484452ffff', 'hex'))
  await ffmpeg(`-f lavfi -i color=s=9000x9000 -frames:v 1 -f image2 -c:v png ${bomb}`)
  const assertRejected = (file: string, code: string) =>
    assert.rejects(makeImages(deps, { file, folder: join(root, 'images'), signal }), {
      name: 'MediaRejected',
      code,
    })

  await assertRejected(svg, 'media.unreadable')
  await assertRejected(broken, 'media.damaged')
  await assertRejected(bomb, 'media.damaged')
})
