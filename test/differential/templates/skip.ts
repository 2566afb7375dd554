/** Templates of the corpus whose recorded result is not ours, each kind with its reason. */
export const SKIPPED: readonly { readonly why: string; readonly matches: RegExp }[] = [
  { why: 'what an undefined value was looked for in is not printed', matches: /d\.nope \| pprint|'b': d\.nope\}\) ~/ },
  { why: 'what is too large to be made is told in words of its own', matches: /\bbig\)? \* \(?[^0-9 ]|\* \(?big\b/ },
  { why: 'a list to indent fails at another step', matches: /(\[\]|else el\)) \| indent/ },
  { why: 'pairs that are none fail with the words of another class', matches: /\(1, 2\) \| urlencode/ },
  { why: 'the message says the same twice', matches: /l\[9\] \| to_nice_yaml/ },
  {
    why: 'addresses in memory differ from run to run',
    matches: /^(x )?\{\{ (d\.items|joiner\(\)|lookup|l\.append|s\.upper|\{\}\.keys|s\.__len__|self|range\.__call__|dict\.fromkeys) \}\}$/,
  },
  { why: 'parts of a week are a tuple here', matches: /isocalendar\(\) \}\}/ },
  { why: 'no template reaches the classes of the implementation', matches: /__mro__/ },
  { why: 'a loop printed as a value is run through by the reference', matches: /\{\{ loop \}\}/ },
  {
    why: "Python's own complaint about generated code; the reference then returns the text as it is",
    matches: /\{% break %\}>?$|macro m\(a, a\)/,
  },
  { why: 'complex numbers and Ellipsis are no values of playbooks', matches: /\[1j\]|\[1\+2j\]|\[\.\.\.\]/ },
  { why: "the last digit of the C library's pow()", matches: /2\.5 \*\* 2\.5/ },
  { why: 'bytes that are no UTF-8 are shown with the replacement character', matches: /encode\('latin-1'|to_bytes\(2/ },
  { why: 'the reference stumbles over its own plugin loader', matches: /'a' is filter|nope\.x\.y|nope_filter\) \}\}/ },
  { why: 'the # form of floats without a type', matches: /\{:#\}'\.format\(1e-5\)/ },
  { why: 'how large a number C takes', matches: /:c\}'\.format\(2 \*\* 70/ },
  { why: 'the function is a class of Python', matches: /dict\.fromkeys/ },
  {
    why: 'folded into a constant by the reference, which then treats it in another way',
    matches: /\(\(\{'a': 1\}\)\[::-1\]\) \| default|1e400 \* 10|if 0\[::-1\]/,
  },
  { why: 'callable() counts its arguments in other words', matches: /is not callable if/ },
  { why: 'the header has no end; the message tells an address', matches: /^#jinja2: trim_blocks: False$/ },
]

/** Where its own constant folding fails, the reference gives the text back as it is; where a macro calls itself for ever, Python's words are its own. */
export const gaveUp = ({ t, r, m, k }: { t: string; r?: string; m: string; k?: string }): boolean =>
  k === 'RecursionError' || (m !== 'file' && r !== undefined && t.includes('{{') && r.replaceAll('\\n', '\n').slice(1, -1) === t)
