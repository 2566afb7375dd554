#!/usr/bin/python3
from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule(argument_spec=dict(word=dict(type='str')))
module.exit_json(ansible_facts={'zap': module.params['word'] or 'none', 'both': ['zap']})
