/** Expressions of cases.txt that are not compared, and why. */
export const SKIPPED: Readonly<Record<string, string>> = {
  'nope | dict2items': 'ours names the variable that is undefined',
  '[1, 2] | combinations': 'Python words the missing argument of a built-in differently',
  "'nope' is filter": 'false, where the reference fails to load it',
  "'10.0.0.7' | ansible.utils.ipaddr('nope')": 'ours tells which query is unknown; the reference fails while it looks for one',
}
