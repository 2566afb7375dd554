#!/usr/bin/python
import os
from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule(argument_spec={})
module.exit_json(who=os.environ.get('WHO'))
