/** Splits text into lines as Python's splitlines does, and shapes the outputs of commands in results. */
import type { JsonObject } from '../../base/index.ts'

/** Lines without their ends; a final line end makes no further line. */
export function splitLines(text: string): string[] {
  if (text === '') return []
  const lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** stdout and stderr, each also as lines; a very long text gets those from the engine, once somebody asks for them. */
export function outputs(stdout: string, stderr: string): JsonObject {
  return { stdout, stdout_lines: linesSoon(stdout), stderr, stderr_lines: linesSoon(stderr) }
}

const linesSoon = (text: string): string[] | undefined => (text.length < LONG ? splitLines(text) : undefined)

const LONG = 256 * 1024
