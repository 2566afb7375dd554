/**
 * Python's meaning of values: what the language itself, the filters, tests and lookups build on. Also here, as they are written:
 * truth equals lessThan identical str repr typeName iterate toList length contains hashKey dictGet dictSet dictHas dictDelete
 * PySet PyRange DictView NativeFunction sortValues add subtract multiply divide floorDivide modulo power negate
 * floatRepr isNumber toNumber parseInteger parseFloatText percentFormat formatValue formatText subscript slice methodOf normalInt
 */
export * from './errors.ts'
export { type Kwargs, NO_KWARGS, PyObject } from './object.ts'
export { isUndefined, Undefined } from './undefined.ts'
