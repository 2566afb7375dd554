/** What a task gives as children → elements: XML text, a name, or a name with its text or attributes and children. */
import { isDict, type Value } from '../../base/index.ts'
import { asText, className } from '../../params/index.ts'
import { ModuleFailure } from '../api.ts'
import { readXml, XmlError } from './parse.ts'
import { XmlElement } from './tree.ts'

export function childrenOf(given: readonly Value[], form: 'xml' | 'yaml'): XmlElement[] {
  return given.map((one) => (form === 'xml' ? fromXml(one) : fromData(one)))
}

function fromXml(given: Value): XmlElement {
  try {
    return readXml(asText(given)).root
  } catch (error) {
    if (error instanceof XmlError) throw new ModuleFailure(`Error while parsing child element: ${error.message}`)
    throw error
  }
}

function fromData(given: Value): XmlElement {
  if (typeof given === 'string') return named(given)
  if (!isDict(given)) throw new ModuleFailure(`Invalid child type: ${className(given)}. Children must be either strings or hashes.`)
  if (given.size !== 1) throw new ModuleFailure('Can only create children from hashes with one key')
  const [[key, value]] = [...given] as [[Value, Value]]
  const element = named(asText(key))
  if (!isDict(value)) {
    element.text = value === null ? null : asText(value)
    return element
  }
  for (const [name, text] of value) if (name !== '_') setNamed(element, asText(name), asText(text))
  const inner = value.get('_')
  if (inner !== undefined && inner !== null && !Array.isArray(inner))
    throw new ModuleFailure(`Invalid children type: ${className(inner)}, must be list.`)
  for (const child of childrenOf((inner as Value[] | undefined) ?? [], 'yaml')) element.append(child)
  return element
}

/** An element of the name `{address}local`. */
function named(name: string): XmlElement {
  const [uri, local] = splitClark(name)
  const element = new XmlElement('', local, uri)
  if (uri !== '') {
    element.prefix = 'ns0'
    element.declared.set('ns0', uri)
  }
  return element
}

export function setNamed(element: XmlElement, name: string, value: string): void {
  const [uri, local] = splitClark(name)
  element.setAttribute(uri, local, value)
}

export function splitClark(name: string): [uri: string, local: string] {
  const [, uri, local] = /^\{([^}]*)\}(.*)$/s.exec(name) ?? [undefined, '', name]
  if (!/^[\p{L}_][\p{L}\p{N}_.\u00b7-]*$/u.test(local!)) throw new ModuleFailure(`Invalid tag name '${name}'`)
  return [uri!, local!]
}
