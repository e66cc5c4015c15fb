import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '@continuity/dev/project-root'
import { pollUntil } from '@continuity/dev/waiting'
import type { Locator, Page } from 'playwright-core'

/** Some controls appear when the service has done something. */
const PATIENCE_MS = 60_000

type Role = 'button' | 'combobox' | 'link' | 'radio' | 'textbox'

/** Uses the controls that a guide names in bold, one after another. */
export interface Follower {
  choose(role: 'button' | 'link' | 'radio', name: string): Promise<void>
  /** With the value that the guide has after the name, or with one that it cannot contain. */
  fill(name: string, value?: string): Promise<void>
  /** Selects what the guide has after the name. */
  select(name: string): Promise<void>
  /** Chooses the file that the guide names, of a folder. */
  chooseFile(name: string, folder: string): Promise<void>
  /** The names that the guide has after the last one that was used. */
  left(): readonly string[]
}

interface Step {
  readonly name: string
  readonly value: string | undefined
}

/**
 * The controls of a guide, in order: `**Name**`, or `**Name**: `, followed by the value as code. A step that is not the
 * next one of the guide fails, and so does a control that has another accessible name in the browser.
 */
export async function followInBrowser(
  file: string,
  page: Page,
  inThisTest: (text: string) => string,
): Promise<Follower> {
  const steps = stepsIn(await readFile(join(projectRoot, file), 'utf8'))
  let done = 0 // increased by each step
  const next = (name: string): Step => {
    const step = steps[done]
    assert.equal(step?.name, name, `step ${done + 1} of ${file}`)
    done += 1
    return step
  }
  const givenValue = ({ name, value }: Step): string => {
    assert.ok(value !== undefined, `${file} has no value for ${name}`)
    return inThisTest(value)
  }
  return {
    choose: async (role, name) => (await find(page, role, next(name).name)).click(),
    async fill(name, value) {
      const step = next(name)
      await (await find(page, 'textbox', step.name)).fill(value ?? givenValue(step))
    },
    async select(name) {
      const step = next(name)
      await (await find(page, 'combobox', step.name)).selectOption(givenValue(step))
    },
    async chooseFile(name, folder) {
      const step = next(name)
      const button = await find(page, 'button', step.name)
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()])
      await chooser.setFiles(join(folder, givenValue(step)))
    },
    left: () => steps.slice(done).map(({ name }) => name),
  }
}

/** In a dialog while one is open: the page behind it cannot be used. */
async function find(page: Page, role: Role, name: string): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  const control = await pollUntil(async () => {
    const within = (await dialog.isVisible()) ? dialog : page
    const found = await within.getByRole(role, { name, exact: true }).all()
    if (role !== 'link') return found.length === 1 ? found[0] : undefined
    // An alert about a channel names it too, with the same link.
    const addresses = await Promise.all(found.map((link) => link.getAttribute('href')))
    return new Set(addresses).size === 1 ? found[0] : undefined
  }, PATIENCE_MS)
  assert.ok(control !== undefined, `there is no ${role} with the name ${name}, or more than one`)
  return control
}

const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '')

const stepsIn = (text: string): readonly Step[] =>
  [...withoutBlocks(text).matchAll(/\*\*([^*\n]+)\*\*(?:: `([^`\n]+)`)?/g)].map(([, name, value]) => ({
    name: name!,
    value,
  }))
