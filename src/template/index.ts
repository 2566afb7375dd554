export type { FileOptions, Rendered, RenderOptions, Templar, TemplarSettings } from './api.ts'
export { PyObject, Undefined } from './python/index.ts'
export type { RunContext, Scope, TemplateFiles } from './scope.ts'
export { createTemplar } from './templar.ts'
