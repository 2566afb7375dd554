import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pages } from '../../docs/generate/pages.ts'
import { allModules } from '../../src/modules/index.ts'

const docs = join(import.meta.dirname, '../../docs')
const text = (name: string): string => readFileSync(join(docs, name), 'utf8')

describe('the reference of modules', () => {
  const made = pages({ page: text('generate/page.njk'), index: text('generate/index.njk') })

  test('has the pages that npm run docs makes', () => {
    expect(readdirSync(join(docs, 'reference/modules')).sort()).toEqual([...made.keys()].sort())
  })

  test.each([...made])('%s is what the declarations say: run npm run docs', (name, page) => {
    expect(text(`reference/modules/${name}`)).toBe(page)
  })

  test('every module says in a sentence what it does', () => {
    expect(
      allModules()
        .filter(({ summary = '' }) => !/^[A-Z].+\.$/.test(summary))
        .map(({ name }) => name),
    ).toEqual([])
  })
})
