import { expect, test } from 'vitest'
import type { Value } from '../../../src/base/index.ts'
import { DebugLanguage } from '../../../src/engine/debug-language.ts'
import { TaskObject } from '../../../src/engine/debug-objects.ts'
import { createTemplar } from '../../../src/template/index.ts'

const args = new Map<Value, Value>([['msg', 'hello']])
const task = new TaskObject('TASK: a', 'a', new Map<Value, Value>([['args', args]]))
const names: Readonly<Record<string, Value>> = { task, task_vars: new Map<Value, Value>([['n', [1, 2]]]) }
const language = new DebugLanguage(createTemplar({ native: false, extensions: [] }), (name) =>
  Object.hasOwn(names, name) ? names[name] : undefined,
)

test.each<[string, string | undefined]>([
  ['task', 'TASK: a'],
  ['task.args', "{'msg': 'hello'}"],
  ["task.args['msg']", "'hello'"],
  ["task.args['more'] = 'a=b'", undefined],
  ["task.args['more'], 1", "('a=b', 1)"],
  ["del task.args['more']", undefined],
  ["task.args['more']", "***KeyError:KeyError('more')"],
  ["task_vars['n'][-1] = 5", undefined],
  ["task_vars['n']", '[1, 5]'],
  ['x = 5', undefined],
  ['x += 1', undefined],
  ['x == 6', 'True'],
  ['len(task_vars)', '1'],
  ['nothing', '***NameError:NameError("name \'nothing\' is not defined")'],
  ['task.nothing', "***AttributeError:AttributeError(\"'Task' object has no attribute 'nothing'\")"],
  ['1 +', "***SyntaxError:SyntaxError('invalid syntax')"],
])('%s', (text, shown) => {
  expect(language.guarded(() => language.execute(text))).toBe(shown)
})
