/** Settings: options of the reports. One row each: type(default, ini keys, environment, what it is). */
import { bool, maybeBool, maybeInt, maybeStr, path, str } from '../kinds.ts'

export const callback = {
  DISPLAY_OK_HOSTS: bool(
    true,
    ['defaults.display_ok_hosts'],
    ['ANSIBLE_DISPLAY_OK_HOSTS'],
    'whether hosts where nothing changed are shown',
  ),
  DISPLAY_FAILED_STDERR: bool(
    false,
    ['defaults.display_failed_stderr'],
    ['ANSIBLE_DISPLAY_FAILED_STDERR'],
    'whether failures go to standard error',
  ),
  SHOW_PER_HOST_START: bool(
    false,
    ['defaults.show_per_host_start'],
    ['ANSIBLE_SHOW_PER_HOST_START'],
    'whether it is shown when a host begins a task',
  ),
  CHECK_MODE_MARKERS: bool(false, ['defaults.check_mode_markers'], ['ANSIBLE_CHECK_MODE_MARKERS'], 'whether titles say that it is a check'),
  SHOW_TASK_PATH_ON_FAILURE: bool(
    false,
    ['defaults.show_task_path_on_failure'],
    ['ANSIBLE_SHOW_TASK_PATH_ON_FAILURE'],
    'whether a failure shows where its task stands',
  ),
  CALLBACK_RESULT_FORMAT: str('json', ['defaults.callback_result_format'], ['ANSIBLE_CALLBACK_RESULT_FORMAT'], 'how results are written', [
    'json',
    'yaml',
  ]),
  CALLBACK_FORMAT_PRETTY: maybeBool(
    ['defaults.callback_format_pretty'],
    ['ANSIBLE_CALLBACK_FORMAT_PRETTY'],
    'whether results are always written over several lines',
  ),
  CALLBACK_TREE_DIR: path(
    '~/.ansible/tree',
    ['callback_tree.directory'],
    ['ANSIBLE_CALLBACK_TREE_DIR'],
    'where the tree report writes one file a host',
  ),
  PROFILE_TASKS_LIMIT: str(
    '20',
    ['callback_profile_tasks.task_output_limit'],
    ['PROFILE_TASKS_TASK_OUTPUT_LIMIT'],
    'how many tasks the profile lists',
  ),
  PROFILE_TASKS_SORT: str('descending', ['callback_profile_tasks.sort_order'], ['PROFILE_TASKS_SORT_ORDER'], 'the order of the profile', [
    'descending',
    'ascending',
    'none',
  ]),
  JSON_INDENT: maybeInt(['defaults.json_indent'], ['ANSIBLE_JSON_INDENT'], 'how far json and jsonl indent; 0: one line'),
  JUNIT_OUTPUT_DIR: path('~/.ansible.log', [], ['JUNIT_OUTPUT_DIR'], 'where the JUnit report is written'),
  JUNIT_TASK_CLASS: bool(false, [], ['JUNIT_TASK_CLASS'], 'whether the file’s name is the class of a JUnit case'),
  JUNIT_FAIL_ON_CHANGE: bool(false, [], ['JUNIT_FAIL_ON_CHANGE'], 'whether a change is a failure in the JUnit report'),
  JUNIT_FAIL_ON_IGNORE: bool(false, [], ['JUNIT_FAIL_ON_IGNORE'], 'whether an ignored failure is one in the JUnit report'),
  JUNIT_HIDE_TASK_ARGUMENTS: bool(false, [], ['JUNIT_HIDE_TASK_ARGUMENTS'], 'whether arguments are left out of the JUnit report'),
  JUNIT_INCLUDE_SETUP_TASKS_IN_REPORT: bool(
    true,
    [],
    ['JUNIT_INCLUDE_SETUP_TASKS_IN_REPORT'],
    'whether the gathering of facts is in the JUnit report',
  ),
  JUNIT_TASK_RELATIVE_PATH: str('', [], ['JUNIT_TASK_RELATIVE_PATH'], 'the folder from which the JUnit report tells paths'),
  JUNIT_REPLACE_OUT_OF_TREE_PATH: maybeStr(
    [],
    ['JUNIT_REPLACE_OUT_OF_TREE_PATH'],
    'what stands in the JUnit report for the folders of paths outside of that folder',
  ),
  JUNIT_TEST_CASE_PREFIX: str('', [], ['JUNIT_TEST_CASE_PREFIX'], 'what the names of tasks in the JUnit report must begin with'),
} as const
