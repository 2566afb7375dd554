"""ansible.module_utils.facts.utils: reading small files, and the sizes of a file system."""
import os

def get_file_content(path, default=None, strip=True):
    if not os.path.exists(path) or not os.access(path, os.R_OK):
        return default
    try:
        with open(path) as file:
            text = file.read()
    except Exception:
        return default
    text = text.strip() if strip else text
    return text if text else default

def get_file_lines(path, strip=True, line_sep=None):
    text = get_file_content(path, strip=strip)
    if not text:
        return []
    if line_sep is None:
        return text.splitlines()
    if len(line_sep) == 1:
        text = text.rstrip(line_sep)
    return text.split(line_sep)

def get_mount_size(mountpoint):
    try:
        found = os.statvfs(mountpoint)
    except OSError:
        return {}
    return {
        'size_total': found.f_frsize * found.f_blocks,
        'size_available': found.f_frsize * found.f_bavail,
        'block_size': found.f_bsize,
        'block_total': found.f_blocks,
        'block_available': found.f_bavail,
        'block_used': found.f_blocks - found.f_bavail,
        'inode_total': found.f_files,
        'inode_available': found.f_favail,
        'inode_used': found.f_files - found.f_favail,
    }
