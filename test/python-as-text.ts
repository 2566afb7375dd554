/** Imports of Python, of templates and of what runs in a browser are their text, as in the build. */
import { readFileSync } from 'node:fs'

export const pythonAsText = {
  name: 'python-as-text',
  enforce: 'pre' as const,
  load(id: string): string | undefined {
    return /\.(?:py|njk|client\.js)$/.test(id) ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined
  },
}
