/** The members of a result that stat and find tell alike. */
import { Float, type JsonObject } from '../../base/index.ts'
import type { Stat } from '../../remote/index.ts'

export function statFields(stat: Stat): JsonObject {
  const { mode, kind } = stat
  const bit = (mask: number): boolean => (mode & mask) !== 0
  return {
    mode: mode.toString(8).padStart(4, '0'),
    isdir: kind === 'directory',
    ischr: kind === 'char',
    isblk: kind === 'block',
    isreg: kind === 'file',
    isfifo: kind === 'fifo',
    islnk: kind === 'link',
    issock: kind === 'socket',
    uid: stat.uid,
    gid: stat.gid,
    size: stat.size,
    inode: stat.inode,
    dev: stat.device,
    nlink: stat.links,
    atime: new Float(stat.accessed),
    mtime: new Float(stat.modified),
    ctime: new Float(stat.changed),
    wusr: bit(0o200),
    rusr: bit(0o400),
    xusr: bit(0o100),
    wgrp: bit(0o020),
    rgrp: bit(0o040),
    xgrp: bit(0o010),
    woth: bit(0o002),
    roth: bit(0o004),
    xoth: bit(0o001),
    isuid: bit(0o4000),
    isgid: bit(0o2000),
    blocks: stat.blocks,
    block_size: stat.blockSize,
    device_type: stat.deviceType,
    ...(stat.owner === undefined ? {} : { pw_name: stat.owner }),
    ...(stat.group === undefined ? {} : { gr_name: stat.group }),
  }
}
