/** The page of a run in a real browser: it opens fast, filters, tells more, is quiet and without serious faults for people who cannot see or point. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsToReport, renderReport } from '../../src/report/index.ts'
import { largeRun } from './runs.ts'

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const isThere = existsSync(CHROMIUM)
/** A machine that is to run everything must have a browser. */
const isDemanded = process.env['CI'] !== undefined

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly html: string }[] }[]
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SOURCE = Array.from({ length: 30 }, (_, n) => `line ${n + 1}: a text`).join('\n')

describe.skipIf(!isThere && !isDemanded)('the report in a browser (skipped where /usr/bin/chromium is not there)', () => {
  let browser: Browser
  const folder = mkdtempSync(join(tmpdir(), 'report-'))
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true })
  })

  async function opened(hosts: number, tasks: number, colorScheme: 'light' | 'dark' = 'light') {
    const file = join(folder, `${hosts}-${tasks}.html`)
    writeFileSync(file, renderReport(eventsToReport(largeRun(hosts, tasks), () => SOURCE)))
    const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 800 } })
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
    page.on('request', (request) => request.url().startsWith('file:') || said.push(`asked for ${request.url()}`))
    const begin = performance.now()
    await page.goto(`file://${file}`)
    await page.locator('[role=tabpanel]:not([hidden]) > *').first().waitFor()
    return { page, said, took: performance.now() - begin }
  }

  const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name }).click()

  describe.each([
    [3, 120],
    [100, 300],
    [1000, 300],
  ])('%i hosts, %i tasks', (hosts, tasks) => {
    it('opens in under two seconds, and each view in under one', async () => {
      const { page, said, took } = await opened(hosts, tasks)
      expect(took).toBeLessThan(2000)
      for (const one of await page.getByRole('tab').all()) {
        const begin = performance.now()
        await one.click()
        await page.locator('[role=tabpanel]:not([hidden]) > *').first().waitFor()
        expect([await one.textContent(), performance.now() - begin < 1000]).toEqual([await one.textContent(), true])
      }
      expect(said).toEqual([])
      await page.close()
    })

    it('filters by host, task and status', async () => {
      const { page, said } = await opened(hosts, tasks)
      const count = page.locator('#count')
      await page.getByLabel('Host').fill('node0002')
      await expect.poll(() => count.textContent()).toBe(`${tasks} results, 1 hosts, ${tasks} tasks`)
      for (const box of ['ok', 'changed', 'skipped']) await page.getByRole('checkbox', { name: box }).uncheck()
      await expect.poll(() => count.textContent()).toBe('1 results, 1 hosts, 1 tasks')
      await tab(page, 'Matrix')
      expect(await page.getByRole('gridcell').count()).toBe(1)
      await page.getByRole('button', { name: 'Show all' }).click()
      await page.getByLabel('Task, role').fill('Task 2*')
      await expect.poll(() => count.textContent()).toContain(`${hosts} hosts, 0 tasks`.replace(`${hosts} hosts`, '0 hosts'))
      await page.getByLabel('Task, role').fill('* : task 2')
      await expect.poll(() => count.textContent()).toBe(`${hosts} results, ${hosts} hosts, 1 tasks`)
      expect(said).toEqual([])
      await page.close()
    })

    it('has no serious fault of accessibility', async () => {
      const { page } = await opened(hosts, 60, hosts === 100 ? 'dark' : 'light')
      await page.evaluate(axe)
      for (const one of await page.getByRole('tab').all()) {
        await one.click()
        const found = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<unknown> } }).axe.run())
        const serious = (found as AxeResults).violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
      }
      await page.close()
    })
  })

  it('shows a failure with its code frame, a change with its diff, and texts as texts', async () => {
    const { page } = await opened(3, 20)
    const panel = page.locator('[role=tabpanel]:not([hidden])')
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Failures')
    expect(await panel.textContent()).toContain('it broke </script> on 1')
    expect(await panel.locator('pre.frame').textContent()).toContain('> 5 | line 5: a text')
    await tab(page, 'Changes')
    expect(await panel.locator('pre .add').first().textContent()).toBe('+line of task 2')
    await tab(page, /Messages/)
    expect(await panel.textContent()).toContain('a <b>warning</b> of the run')
    await page.close()
  })

  it('goes by keys alone', async () => {
    const { page } = await opened(100, 60)
    await page.getByRole('tab', { selected: true }).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Matrix')
    await page.getByLabel('hosts that went alike').uncheck()
    const grid = page.getByRole('grid')
    await grid.focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    expect(await grid.getAttribute('aria-activedescendant')).toBe('r4c1')
    expect(await page.locator('#r4c1').getAttribute('aria-label')).toBe('node0002: failed')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').textContent()).toContain('it broke')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('End')
    expect(await grid.getAttribute('aria-activedescendant')).toBe('r4c99')
    await page.close()
  })

  it('tells for whom a host waited', async () => {
    const { page } = await opened(3, 20)
    await tab(page, 'Timeline')
    await page.getByRole('button', { name: 'node0001' }).click()
    expect(await page.getByRole('dialog').textContent()).toMatch(/waited .* most for node000[23]/)
    await page.close()
  })
})
