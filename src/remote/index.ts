export { type Output, textOf } from './output.ts'
export { joinScripts, quote, type Script, sh, userScript, type Word } from './script.ts'
