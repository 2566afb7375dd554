export { type Call, type CustomModule, customModule, type Internal, readResult } from './custom.ts'
export { interpreterLook, isPath } from './interpreter.ts'
export { type ModuleKind, moduleKind, shebang } from './kind.ts'
