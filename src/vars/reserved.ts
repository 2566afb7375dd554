/** Tells which names of variables playbooks cannot use without trouble: keywords of plays, roles, blocks and tasks, and functions of templates. */

const KEYWORDS =
  'action always any_errors_fatal args async async_val become become_exe become_flags become_method become_user block changed_when check_mode ' +
  'collections connection debugger delay delegate_facts delegate_to diff environment fact_path failed_when force_handlers gather_facts ' +
  'gather_subset gather_timeout handlers hosts ignore_errors ignore_unreachable local_action loop loop_control loop_with max_fail_percentage ' +
  'module_defaults name no_log notify order poll port post_tasks pre_tasks register remote_user rescue retries roles run_once serial strategy ' +
  'tags tasks throttle timeout until vars_files vars_prompt when with_'

const FUNCTIONS = 'cycler dict joiner lipsum lookup namespace now q query range undef'

const RESERVED: ReadonlySet<string> = new Set(`${KEYWORDS} ${FUNCTIONS}`.split(' '))

/** Those of the names that mean something else already, in the order in which they come. */
export const reservedNames = (names: Iterable<string>): string[] => [...names].filter((name) => RESERVED.has(name))
