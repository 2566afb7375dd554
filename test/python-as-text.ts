/** Imports of .py files are their text, as in the build. */
import { readFileSync } from 'node:fs'

export const pythonAsText = {
  name: 'python-as-text',
  enforce: 'pre' as const,
  load(id: string): string | undefined {
    return id.endsWith('.py') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined
  },
}
