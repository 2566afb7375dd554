#!/usr/bin/python
from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule(argument_spec=dict(n=dict(type='int'), f=dict(type='float')))
module.exit_json(changed=True)
