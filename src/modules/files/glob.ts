/** Turns a shell pattern into a regular expression with the meaning of Python's fnmatch: it matches the whole text, dots and slashes too. */
export function globPattern(glob: string): RegExp {
  let out = ''
  for (let i = 0; i < glob.length; i++) {
    const c = glob[i]!
    if (c === '*') out += '.*'
    else if (c === '?') out += '.'
    else if (c === '[') {
      const end = glob.indexOf(']', glob[i + 1] === '!' || glob[i + 1] === ']' ? i + 2 : i + 1)
      if (end === -1) out += '\\['
      else {
        const inside = glob.slice(i + 1, end).replaceAll('\\', '\\\\')
        out += `[${inside.startsWith('!') ? `^${inside.slice(1)}` : inside.replace(/^\^/, '\\^')}]`
        i = end
      }
    } else out += c.replace(/[\\^$.|+(){}]/g, '\\$&')
  }
  return new RegExp(`^(?:${out})$`, 's')
}
