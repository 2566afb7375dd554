/** The version of this program; the build puts package.json's in its place. */
declare const TSSPRAY_VERSION: string | undefined

export const VERSION: string = typeof TSSPRAY_VERSION === 'string' ? TSSPRAY_VERSION : '0.0.0'
