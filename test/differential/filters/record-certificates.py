#!/usr/bin/python3
"""Tells what community.crypto reads in the certificates of certificates.json, and keeps it beside them."""
import json
import os

from ansible.parsing.dataloader import DataLoader
from ansible.plugins.loader import init_plugin_loader
from ansible.template import Templar

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "certificates.json")


def main():
    init_plugin_loader(["/usr/lib/python3/dist-packages"])
    with open(HERE, encoding="utf-8") as lines:
        rows = json.load(lines)
    for row in rows:
        templar = Templar(DataLoader(), variables={"pem": row["pem"]})
        row["info"] = templar.template("{{ pem | community.crypto.x509_certificate_info | to_json(sort_keys=true, indent=1) }}")
    with open(HERE, "w", encoding="utf-8") as out:
        json.dump(rows, out, indent=1)


main()
