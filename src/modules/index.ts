export { smallFacts } from '../facts/index.ts'
export {
  type Change,
  type Controller,
  type Diff,
  type Done,
  defineModule,
  type Host,
  type Job,
  type Module,
  ModuleFailure,
  ModuleMissing,
  type Result,
  type TaskInfo,
  type Upload,
} from './api.ts'
export { allModules, findModule, moduleNames, moduleOutline } from './find-module.ts'
export { worded } from './wording.ts'
