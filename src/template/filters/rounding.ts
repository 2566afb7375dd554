/** Rounds a double to a number of decimals as Python does: by its exact value, ties to even. */

export function roundHalfEven(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value
  if (digits < 0) return roundTens(value, -digits)
  if (Math.abs(value) >= 1e21 || digits > 90) return value
  const exact = Math.abs(value).toFixed(Math.min(100, digits + 30))
  const point = exact.indexOf('.')
  const cut = point + 1 + digits
  const kept = BigInt(exact.slice(0, point) + exact.slice(point + 1, cut))
  const rest = exact.slice(cut)
  const isTie = /^50*$/.test(rest)
  const up = isTie ? kept % 2n === 1n : rest[0]! >= '5'
  const text = String(up ? kept + 1n : kept).padStart(digits + 1, '0')
  const rounded = Number(digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`)
  return value < 0 || Object.is(value, -0) ? -rounded : rounded
}

function roundTens(value: number, zeros: number): number {
  const unit = 10 ** zeros
  const quotient = Math.abs(value) / unit
  const low = Math.floor(quotient)
  const rest = quotient - low
  const up = rest > 0.5 || (rest === 0.5 && low % 2 !== 0)
  const rounded = (up ? low + 1 : low) * unit
  return value < 0 || Object.is(value, -0) ? -rounded : rounded
}
