/** Templates and what runs in the browser are bundled as text. */
declare module '*.njk' {
  const text: string
  export default text
}
declare module '*.client.js' {
  const text: string
  export default text
}
