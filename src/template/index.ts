export type { FileOptions, Rendered, RenderOptions, Templar, TemplarSettings } from './api.ts'
export type { RunContext, Scope, TemplateFiles } from './scope.ts'
