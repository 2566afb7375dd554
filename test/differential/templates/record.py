"""Renders the corpus with the installed ansible-core and prints what came out, one JSON line for each template.

Run with a Python that has ansible-core 2.18: `python3 record.py > recorded.jsonl`, or `PYTHONPATH=lib …` from a checkout of it.
`record.py -` takes the cases from its input instead, one JSON object with m, t and o each.
"""
import ast
import json
import signal
import sys

from ansible import constants
from ansible.errors import AnsibleError
from ansible.parsing.dataloader import DataLoader
from ansible.playbook.conditional import Conditional
from ansible.template import Templar
from corpus import VARS, corpus

constants.DEFAULT_JINJA2_EXTENSIONS = 'jinja2.ext.do,jinja2.ext.loopcontrols'
OMIT = '__omit_place_holder__' + '0' * 40


def variables():
    return {**ast.literal_eval(VARS), 'omit': OMIT}


def render(mode, template, options):
    loader = DataLoader()
    constants.DEFAULT_JINJA2_NATIVE = mode == 'native'
    templar = Templar(loader=loader, variables=variables())
    if mode in ('text', 'native'):
        return templar.template(template)
    if mode == 'file':
        return with_options(templar, template, options)
    condition = Conditional(loader=loader)
    condition.when = [template]
    return condition.evaluate_conditional(templar, variables())


def with_options(templar, template, options):
    environment = templar.environment
    for key, value in options.items():
        setattr(environment, key, value)
    return templar.do_template(template, escape_backslashes=False, convert_data=False)


def record(mode, template, options):
    line = {'m': mode, 't': template}
    if options:
        line['o'] = options
    try:
        line['r'] = repr(render(mode, template, options))
    except AnsibleError as error:
        line['e'] = str(error)
        line['k'] = type(error).__name__
    except RecursionError:
        line['e'] = 'recursion'
        line['k'] = 'RecursionError'
    except Exception as error:
        line['e'] = str(error)
        line['k'] = type(error).__name__
    return line


def given():
    for line in sys.stdin:
        case = json.loads(line)
        yield case['m'], case['t'], case.get('o', {})


def main():
    try:
        from ansible.plugins.loader import init_plugin_loader
        init_plugin_loader()
    except ImportError:
        pass  # releases before 2.15 need no such start
    seen = set()
    signal.alarm(1800)
    for mode, template, options in given() if sys.argv[1:] == ['-'] else corpus():
        key = (mode, template, json.dumps(options, sort_keys=True))
        if key in seen:
            continue
        seen.add(key)
        print(json.dumps(record(mode, template, options), ensure_ascii=True), flush=True)


if __name__ == '__main__':
    sys.setrecursionlimit(3000)
    main()
