#!/usr/bin/python3
from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule(argument_spec=dict())
module.fail_json(msg='on purpose')
