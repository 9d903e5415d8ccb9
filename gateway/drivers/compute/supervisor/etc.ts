import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a lab's `/etc` that are ours; nothing of the host's accounts is shown. */
const etcFiles: Readonly<Record<string, string>> = {
  passwd:
    'root:x:0:0:root:/root:/usr/sbin/nologin\nlab:x:1000:1000:Lab:/home/lab:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n',
  group: 'root:x:0:\nlab:x:1000:\nnogroup:x:65534:\n',
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  profile: 'PATH="$HOME/.local/bin:/usr/local/bin:/usr/bin:/bin"\nexport PATH\n[ -n "$BASH" ] && . /etc/bash.bashrc\n',
  'bash.bashrc':
    '[ -z "$PS1" ] && return\nPATH="$HOME/.local/bin:/usr/local/bin:/usr/bin:/bin"\nHISTCONTROL=ignoreboth\nshopt -s checkwinsize histappend\n' +
    "PS1='lab@\\h:\\w\\$ '\nalias ls='ls --color=auto' grep='grep --color=auto' ll='ls -l'\n",
};

/** What programs need of the host's `/etc` and nobody minds being read. */
const sharedEtc = [
  'alternatives',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'ssl/certs',
  'ssl/openssl.cnf',
  'localtime',
  'timezone',
  'fonts',
  'mime.types',
  'terminfo',
  'inputrc',
  'magic',
  'R',
  'jupyter',
];

export function writeEtc(folder: string): void {
  mkdirSync(folder, { recursive: true });
  // By chmod, because the supervisor's own umask would take the lab's right to read away.
  chmodSync(folder, 0o755);
  for (const [name, content] of Object.entries(etcFiles)) {
    writeFileSync(join(folder, name), content);
    chmodSync(join(folder, name), 0o644);
  }
}

/** Bubblewrap arguments for a lab's `/etc`; `folder` is where `writeEtc` wrote, as bubblewrap can reach it. */
export function etcMounts(folder: string): string[] {
  const shared = sharedEtc.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]);
  return [...shared, ...Object.keys(etcFiles).flatMap((name) => ['--ro-bind', join(folder, name), `/etc/${name}`])];
}
