/** Python's meaning of values: what the language itself, the filters, tests and lookups build on. */
export { add, divide, escapedText, floorDivide, modulo, multiply, negate, plus, power, subtract } from './arithmetic.ts'
export { NativeFunction, PyClass } from './callable.ts'
export { characterNamed } from './character-names.ts'
export { characterAt, characters, indexOf, isSimple, offsetOf, textLength } from './characters.ts'
export { DictView, PyRange, PySet, type ViewKind } from './collections.ts'
export {
  dictDelete,
  dictGet,
  dictHas,
  dictSet,
  eager,
  equals,
  type HashKey,
  hashKey,
  identical,
  identityOf,
} from './equality.ts'
export * from './errors.ts'
export { checkCount, contains, iterable, iterate, length, lengthOf, toList } from './iteration.ts'
export { escapeHtml, Markup, plainDeep, plainOf } from './markup.ts'
export {
  asciiDigits,
  asIndex,
  divideIntegers,
  floatRepr,
  type Integer,
  normalInt,
  parseFloatText,
  parseInteger,
  toNumber,
  truncate,
} from './number.ts'
export { type Kwargs, NO_KWARGS, PyObject } from './object.ts'
export { lessThan, type Ordering, ordered, sortValues } from './order.ts'
export { percentFormat } from './percent.ts'
export { SealedText } from './sealed.ts'
export { isSliceable, position, slice, subscript } from './slices.ts'
export { fixed, floatBody, formatValue } from './spec.ts'
export { ascii, repr, str } from './text.ts'
export { truth } from './truth.ts'
export { isInteger, isMapping, isNumber, typeName } from './types.ts'
export { isUndefined, Undefined } from './undefined.ts'
