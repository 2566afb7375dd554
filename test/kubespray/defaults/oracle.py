"""Reads a playbook whose tasks are named after variables with ansible-core's own loader and templar and prints what each name comes to, one JSON line each.

usage: oracle.py PLAYBOOK INVENTORY…   (in the folder that has ansible.cfg)
"""
import json
import sys

from ansible import context
from ansible.cli import CLI
from ansible.inventory.manager import InventoryManager
from ansible.module_utils.common.collections import ImmutableDict
from ansible.parsing.dataloader import DataLoader
from ansible.playbook import Playbook
from ansible.template import Templar
from ansible.utils.vars import load_options_vars
from ansible.vars.hostvars import HostVars
from ansible.vars.manager import VariableManager


def names_of(play):
    """What the tasks of the play itself are named after."""
    return [task for block in play.tasks for task in block.block]


def told(templar, name):
    templar.available_variables['item'] = name
    try:
        return {'value': templar.template("{{ lookup('vars', item) | to_json }}")}
    except Exception as error:
        return {'error': str(error), 'class': type(error).__name__}


def main():
    playbook, *sources = sys.argv[1:]
    try:
        from ansible.plugins.loader import init_plugin_loader
        init_plugin_loader()
    except ImportError:
        pass  # releases before 2.15 need no such start
    context.CLIARGS = ImmutableDict(check=False, diff=False, forks=5, inventory=sources, skip_tags=[], subset=None, tags=['all'], verbosity=0, extra_vars=[])
    loader = DataLoader()
    inventory = InventoryManager(loader=loader, sources=sources)
    variables = VariableManager(loader=loader, inventory=inventory, version_info=CLI.version_info(gitinfo=False))
    variables.options_vars = load_options_vars(CLI.version_info(gitinfo=False))
    HostVars(inventory, variables, loader)  # the manager keeps it: this is how templates get hostvars
    for play in Playbook.load(playbook, variable_manager=variables, loader=loader).get_plays():
        play.compile()
        for host in inventory.get_hosts(play.hosts):
            tasks = names_of(play)
            seen = variables.get_vars(play=play, host=host, task=tasks[0])
            templar = Templar(loader=loader, variables=dict(seen))
            for name in [task.name for task in tasks]:
                print(json.dumps({'play': play.name, 'host': host.name, 'name': name, **told(templar, name)}), flush=True)



if __name__ == '__main__':
    main()
