#!/usr/bin/python3
"""Runs every lookup of lookup-cases.txt in the folder lookups/ with the Ansible it is run with, and keeps what comes out in lookups.jsonl."""
import json
import os

from ansible.errors import AnsibleError
from ansible.parsing.dataloader import DataLoader
from ansible.plugins.loader import init_plugin_loader
from ansible.template import Templar
from ansible.utils.display import Display

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "lookups")
USERS = [{"name": "a", "keys": ["k1", "k2"]}, {"name": "b", "keys": []}, {"name": "c", "keys": ["k3"], "n": 1}]


def render(expression):
    loader = DataLoader()
    loader.set_basedir(FOLDER)
    variables = {"name": "me", "items": [1, 2], "users": json.loads(json.dumps(USERS)), "ansible_search_path": [FOLDER], "groups": {"all": ["h1", "h2"]}}
    try:
        return {"text": Templar(loader, variables=variables).template("x{{ " + expression + " }}", fail_on_undefined=True)}
    except AnsibleError as error:
        return {"error": error.message}
    except Exception as error:
        return {"error": "%s: %s" % (type(error).__name__, error)}


def main():
    init_plugin_loader(["/usr/lib/python3/dist-packages"])
    Display.warning = Display.deprecated = lambda *_, **__: None
    os.environ["HOME"] = "/home/me"
    with open(os.path.join(HERE, "lookup-cases.txt"), encoding="utf-8") as cases, open(os.path.join(HERE, "lookups.jsonl"), "w", encoding="utf-8") as out:
        for line in cases.read().splitlines():
            row = json.dumps({"expression": line, **render(line)}, ensure_ascii=False)
            out.write(row.replace(FOLDER, "FOLDER") + "\n")


main()
