/** Turns group names into ones that are also variable names, where the settings want it. */

export type Transform = 'always' | 'never' | 'ignore' | 'silently'

const INVALID = /^[^A-Za-z_]|[^\w]/g

/** Warns at most once. */
export function groupNames(transform: string, warn: (message: string) => void): (name: string) => string {
  let told = false
  const tell = (message: string): void => {
    if (!told) warn(message)
    told = true
  }
  return (name) => {
    if (transform === 'ignore' || name.search(INVALID) === -1) return name
    if (transform === 'never') {
      tell('Invalid characters were found in group names but not replaced, use -vvvv to see details')
      return name
    }
    if (transform === 'always') tell('Invalid characters were found in group names and automatically replaced, use -vvvv to see details')
    return name.replace(INVALID, '_')
  }
}

/** A computed name is made safe whatever the settings say of written ones. */
export const safeGroupName = (name: string): string => name.replace(INVALID, '_')
