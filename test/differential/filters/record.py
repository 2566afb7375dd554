#!/usr/bin/python3
"""Renders every expression of cases.txt with the Ansible it is run with and keeps what comes out in recording.jsonl.

With ansible-core 2.18 from a checkout: PYTHONPATH=.../lib /usr/bin/python3 record.py
Other cases, with the collections of a folder: record.py collection-cases.txt collection-recording.jsonl FOLDER
"""
import json
import os
import sys

import ansible
from ansible.errors import AnsibleError
from ansible.parsing.dataloader import DataLoader
from ansible.plugins.loader import init_plugin_loader
from ansible.template import Templar
from ansible.utils.display import Display

HERE = os.path.dirname(os.path.abspath(__file__))


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as lines:
        return lines.read()


def cases(name):
    group = ""
    for line in read(name).splitlines():
        if line.startswith("# "):
            group = line[2:]
        elif line:
            yield group, line


def render(templar, expression, in_file):
    """As a playbook's text has it, or as a template file has it, where backslashes are not doubled."""
    try:
        return {"text": templar.template("x{{ " + expression + " }}", fail_on_undefined=True, escape_backslashes=not in_file)}
    except AnsibleError as error:
        return {"error": error.message}
    except Exception as error:
        return {"error": "%s: %s" % (type(error).__name__, error)}


def main(given="cases.txt", kept="recording.jsonl", collections="/usr/lib/python3/dist-packages"):
    init_plugin_loader([collections])
    Display.warning = Display.deprecated = lambda *_, **__: None
    os.environ["HOME"] = "/home/me"
    variables = json.loads(read("vars.json"))
    print("ansible-core", ansible.__version__, file=sys.stderr)
    with open(os.path.join(HERE, kept), "w", encoding="utf-8") as out:
        for group, expression in cases(given):
            for in_file in [False, True] if "\\" in expression else [False]:
                templar = Templar(DataLoader(), variables=json.loads(json.dumps(variables)))
                row = {"group": group, "expression": expression, **({"file": True} if in_file else {}), **render(templar, expression, in_file)}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


main(*sys.argv[1:])
