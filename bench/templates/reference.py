"""Renders the plan of bench/templates with ansible-core's templar and prints what came out of it and how long it took.

usage: reference.py PLAN ROUNDS; each round is what one task on one host would do: a templar of its own over the same variables.
"""
import hashlib
import json
import sys
import time

from ansible.errors import AnsibleError
from ansible.parsing.dataloader import DataLoader
from ansible.template import Templar


def attempt(work):
    try:
        return work()
    except AnsibleError:
        return None


def main():
    plan = json.load(open(sys.argv[1]))
    try:
        from ansible.plugins.loader import init_plugin_loader
        init_plugin_loader()
    except ImportError:
        pass  # releases before 2.15 need no such start
    loader = DataLoader()
    variables, names = {}, []
    for path in plan['variables']:
        variables.update(loader.load_from_file(path) or {})
    names = [name for name in variables]
    variables.update(json.load(open(plan['facts'])))
    variables.update(plan['fixed'])
    texts = [open(path, encoding='utf-8').read() for path in plan['templates']]
    times = []
    for _ in range(int(sys.argv[2])):
        templar = Templar(loader=loader, variables=dict(variables, omit='__omit__'))
        began = time.perf_counter()
        values = {name: attempt(lambda: templar.template('{{ %s }}' % name)) for name in names}
        between = time.perf_counter()
        rendered = [attempt(lambda: templar.do_template(text, preserve_trailing_newlines=True, escape_backslashes=False)) for text in texts]
        times.append([between - began, time.perf_counter() - between])
    sums = [None if text is None else hashlib.sha1(str(text).encode()).hexdigest() for text in rendered]
    print(json.dumps({'names': len(names), 'good': [name for name in names if values[name] is not None], 'sums': sums, 'times': times}))


if __name__ == '__main__':
    main()
