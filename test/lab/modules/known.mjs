/** Differences that are meant, each with its reason. */
export const KNOWN = [
  [/^(two packages|there already|a package by version|the newest|whatever manager|tools) \(check\): failed there, changed here$/, 'a host without package lists: a check says what would be installed once there are lists'],
  [/^a job in a file \(check\): failed there, changed here$/, 'cron is not installed in a check run; a file in cron.d needs no crontab'],
  [/ansible_facts\.packages\.[\w.+-]*(python|distro-info|readline|sqlite|media-types)[\w.+-]* is \[.*there, absent here$/, 'Python is on the one host only'],
  [/^a folder: changed is false there, true here$/, 'the real mount module makes its folder in check mode'],
] // biome-ignore format: a table
