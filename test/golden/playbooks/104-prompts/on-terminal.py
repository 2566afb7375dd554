"""on-terminal.py KEYS COMMAND…: runs a command on a terminal of its own and types a line (or, after <, single keys) at each of its questions."""
import os
import pty
import re
import select
import sys

keys = sys.argv[1].split('|') if sys.argv[1] else []
question = re.compile(r"(\(debug\)> |\(c\)ontinue: |\w+\]?: |please:\n|hidden\):\n|Pausing for 30 seconds\n\(ctrl.*\n|to abort \n)$")
pid, fd = pty.fork()
if pid == 0:
    os.environ['TERM'] = 'dumb'
    os.execvp(sys.argv[2], sys.argv[2:])


def plain(text):
    """Without what moves the cursor."""
    return re.sub(r'\x1b\[[0-9;?]*[A-Za-z]|\x1b\[\r|[\r\a]|\x1b.', '', text).replace('^J', '\n')


shown = ''
since = 0
while True:
    ready, _, _ = select.select([fd], [], [], 0.4)
    if ready:
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        shown += data.decode('utf-8', 'replace')
    elif keys and question.search(plain(shown[since:])):
        key = keys.pop(0)
        since = len(shown)
        if key == '^C':
            os.write(fd, b'\x03')
        elif key == '^D':
            os.write(fd, b'\x04')
        else:
            os.write(fd, (key[1:] if key.startswith('<') else key + '\n').encode())
_, status = os.waitpid(pid, 0)
for line in plain(shown).split('\n'):
    print(line.rstrip())
sys.exit(os.waitstatus_to_exitcode(status))
