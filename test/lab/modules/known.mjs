/** Differences that are meant, each with its reason. */
export const KNOWN = [
  [/^(two packages|there already|a package by version|the newest|whatever manager|tools) \(check\): failed there, changed here$/, 'a host without package lists: a check says what would be installed once there are lists'],
  [/^a job in a file \(check\): failed there, changed here$/, 'cron is not installed in a check run; a file in cron.d needs no crontab'],
  [/ansible_facts\.packages\.[\w.+-]*(python|distro-info|readline|sqlite|media-types)[\w.+-]* is \[.*there, absent here$/, 'Python is on the one host only'],
  [/^a folder: changed is false there, true here$/, 'the real mount module makes its folder in check mode'],
  [/^(a rule|a rule first) \(check\): failed there, changed here$|^a rule gone \(check\): failed there, ok here$/, 'iptables is not installed in a check run'],
  [/^a job later( \(check\))?: |\/var\/spool\/cron\/atjobs\//, 'at has a check mode here; a job holds the names of temporary files'],
  [/^a locale: (msg|name) is /, 'as newer releases of the collection tell it'],
  [/^a temporary file: path is |^the temporary file goes: path is |^a temporary folder: path is /, 'names nobody has'],
  [/\/etc\/ld\.so\.cache/, 'made from all libraries of a host'],
  [/^only here: \+ .*(readline|libsqlite3|libhistory|inputrc|rluserman)/, 'what Python brought to the one host before'],
  [/\/07-archives\/(in\.tgz|two\.zip|a\.gz)|^packed( files| one)?: size is /, 'packed with other libraries'],
  [/^unpacked once: extract_results\.out is /, 'zip stores what is small'],
  [/\/07-archives\/clone\/\.git\/(logs|objects|index)/, 'objects fetched in another order'],
  [/^made: (command|targets) is /, 'as newer releases of the collection tell it'],
  [/^facts of services: .*hostname(1|d)/, 'a service that ends when nobody asks it'],
  [/^(tools|two packages|a package by version|gone|whatever manager): stdout/, 'what apt and dpkg tell of packages on the way'],
] // biome-ignore format: a table
