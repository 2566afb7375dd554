#!/usr/bin/python3
from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule(argument_spec=dict())
module.exit_json(ansible_facts={'zip': 1, 'both': ['zip']})
