#!/usr/bin/python
from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.helper_of_ours import double


def main():
    module = AnsibleModule(
        argument_spec=dict(
            name=dict(required=True, aliases=['title']),
            count=dict(type='int', default=1),
            secret=dict(no_log=True),
            state=dict(choices=['present', 'absent'], default='present'),
            tags=dict(type='list', elements='str'),
        ),
        supports_check_mode=True,
    )
    rc, out, err = module.run_command(['echo', module.params['name']])
    module.exit_json(changed=module.params['state'] == 'present', rc=rc, out=out.strip(), twice=double(module.params['count']), tags=module.params['tags'],
                     told=module.params['secret'], check=module.check_mode)


if __name__ == '__main__':
    main()
