export { type CodePage, codePage } from './code-pages.ts'
export { codeFrame, drawProblem, drawProblems } from './frame.ts'
export { BigNumber, fromJson, type Json, type JsonObject, jsonKey, toExactJson, toJson } from './json.ts'
export { LateDict } from './late-dict.ts'
export { later } from './later.ts'
export { mergeRaw } from './merge.ts'
export { didYouMean, nearNames } from './near.ts'
export { own, record } from './own.ts'
export { type Hint, located, locating, Problem, type ProblemDetails, type ProblemKind, Problems } from './problem.ts'
export { isOlder } from './release.ts'
export { type Position, placeOf, positionAt, type Source, type Span, span } from './source.ts'
export {
  asWritten,
  type Dict,
  Float,
  isDict,
  isFinished,
  isOmitted,
  LazyDict,
  looksLikeTemplate,
  OMIT,
  Omit,
  OpaqueValue,
  type Raw,
  type RawVars,
  type Scalar,
  Template,
  Timestamp,
  type TimestampParts,
  Tuple,
  type Value,
  Vaulted,
} from './value.ts'
