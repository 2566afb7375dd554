#!/usr/bin/python
from ansible.module_utils.basic import AnsibleModule

OLD = dict(type='str', removed_in_version='2.0.0', removed_from_collection='foo.bar')
NAMED = dict(type='str', aliases=['old_name'], deprecated_aliases=[dict(name='old_name', date='2023-01-01', collection_name='foo.bar')])
module = AnsibleModule(dict(old=OLD, named=NAMED, my_password=dict(type='str'), inner=dict(type='list', elements='dict', options=dict(old=OLD, named=NAMED))))
module.exit_json(changed=False)
