/** Turns a sealed text into the YAML a person pastes into a file of variables. */

const INDENT = ' '.repeat(10)

/** `name: !vault |` with the sealed lines under it; without a name only the value. */
export function sealedYaml(sealed: string, name?: string): string {
  const lines = sealed.trimEnd().split('\n')
  return [`${name === undefined ? '' : `${name}: `}!vault |`, ...lines.map((line) => INDENT + line)].join('\n')
}
