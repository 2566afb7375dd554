#!/usr/bin/python
from ansible.module_utils.basic import AnsibleModule


def main():
    module = AnsibleModule(argument_spec=dict(a=dict(), b=dict(), c=dict()))
    module.exit_json(told={k: v for k, v in module.params.items() if v is not None})


main()
