/** jinja2_native where files begin: template files and the template lookup have no native types, nor have the variables that they read. */
import { describe, expect, it } from 'vitest'
import { asWritten, type Raw, Template, type Value } from '../../../src/base/index.ts'
import { createTemplar, type Renderer, type Scope } from '../../../src/template/index.ts'

const FILES: Readonly<Record<string, string>> = { 'dict.j2': '{"a": {{ sum }}}', 'bare.j2': '{{ sum }}' }

function scopeOf(variables: Readonly<Record<string, Raw>>, renderer: Renderer): Scope {
  const scope: Scope = {
    get: (name) => (name in variables ? renderer.renderWithOrigin(variables[name]!, scope).value : undefined),
    has: (name) => name in variables,
    names: () => Object.keys(variables),
    fromHost: () => false,
    raw: (name) => variables[name],
    renderedBy: (other) => scopeOf(variables, other),
    files: {
      find: (_, name) => (name in FILES ? name : undefined),
      folders: () => [],
      read: (path) => FILES[path]!,
      readBytes: (path) => new TextEncoder().encode(FILES[path]),
    },
  }
  return scope
}

const templar = createTemplar({ native: true, extensions: [] })
const scope = scopeOf({ sum: new Template('{{ 1 + 1 }}'), nothing: new Template('{{ none }}') }, templar)
const render = (text: string): Value => templar.render(asWritten(text), scope)

describe('native types', () => {
  it('stay in variables', () => {
    expect(render('{{ sum }}')).toBe(2)
    expect(render('{{ nothing }}')).toBe(null)
    expect(render("{{ '[1]' | string }}")).toBe('[1]')
  })

  it('are not in template files, where None is written as it is called', () => {
    const text = '{{ sum | type_debug }} {{ sum }} {{ nothing }}|{{ none }}'
    expect(templar.renderFile({ name: 'page.j2', text }, scope)).toBe('str 2 None|None')
  })

  it('are in the template lookup where they are asked for', () => {
    expect(render("{{ lookup('template', 'dict.j2') }}")).toBe("{'a': 2}")
    expect(render("{{ lookup('template', 'dict.j2', jinja2_native=true) }}")).toEqual(new Map([['a', 2]]))
    expect(render("{{ lookup('template', 'dict.j2', convert_data=false) }}")).toBe('{"a": 2}')
    expect(render("{{ lookup('template', 'bare.j2', jinja2_native=true) }}")).toBe(2)
  })
})
