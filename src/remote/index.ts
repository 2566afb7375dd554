export { contentProbe, lastContentProbe } from './content.ts'
export { expansionProbe, needsExpansion } from './expand.ts'
export { Fields } from './fields.ts'
export { groupIdProbe, known, type Self, selfProbe, userIdProbe } from './ids.ts'
export { type Output, textOf } from './output.ts'
export { type Answers, answerOf, each, type Probe, together } from './probe.ts'
export { joinScripts, quote, type Script, sh, userScript, type Word } from './script.ts'
export {
  type Algorithm,
  type FileAttributes,
  type Missing,
  type PathKind,
  readStatLine,
  realName,
  STAT_FORMAT,
  type Stat,
  type StatWishes,
  statProbe,
  sumProgram,
} from './stat.ts'
export { eachStat, type StatAnswers, type StatQuestion, statsProbe } from './stats.ts'
export { sumsProbe } from './sums.ts'
