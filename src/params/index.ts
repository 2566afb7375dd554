export type { Args, Param, Params, ParamType, Rules } from './api.ts'
export { bool, bytes, choice, dict, dictOf, fallback, float, int, json, list, listOf, path, raw, required, str } from './words.ts'
