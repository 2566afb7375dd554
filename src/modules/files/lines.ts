/** Splits text into lines as Python's splitlines does, and shapes the outputs of commands in results. */
import type { JsonObject } from '../../base/index.ts'

/** Lines without their ends; a final line end makes no further line. */
export function splitLines(text: string): string[] {
  if (text === '') return []
  const lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** stdout and stderr, each also as lines. */
export function outputs(stdout: string, stderr: string): JsonObject {
  return { stdout, stdout_lines: splitLines(stdout), stderr, stderr_lines: splitLines(stderr) }
}
