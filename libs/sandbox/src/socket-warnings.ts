import { realPathOf } from './path-check.js';
import type { PathGrant, PathVariables } from './policy.js';

const BECOMES_ROOT = 'can become root on this machine';
const RUNS_PROGRAMS = 'can run programs outside of the sandbox';
const USES_KEYS = 'can use your keys';
const SEES_SCREEN = 'can watch your screen and type for you';

/** Well-known sockets, and what they are worth to whoever may connect. */
const POWERS: readonly (readonly [RegExp, string])[] = [
  [/\/(docker|podman|containerd|crio|cri-dockerd|buildkitd|kubelet)\.sock$/, BECOMES_ROOT],
  [/\/(lxd|incus)\/unix\.socket$|\/snapd(-snap)?\.socket$|\/(libvirt|virt[a-z]+d)-sock$/, BECOMES_ROOT],
  [/\/bus$|\/dbus-[^/]+$|\/system_bus_socket$|\/systemd\/private$/, RUNS_PROGRAMS],
  [/\/tmux-[^/]+\/[^/]+$|\/S-[^/]+\/[^/]+$|\/emacs[^/]*\/[^/]+$|\/vscode-ipc-[^/]+$/, RUNS_PROGRAMS],
  [/\/S\.gpg-agent[^/]*$|\/agent\.\d+$|\/(ssh|openssh_agent|ssh-agent[^/]*)$/, USES_KEYS],
  [/\/\.X11-unix\/X\d+$|\/wayland-\d+$/, SEES_SCREEN],
];

/** What opening these sockets gives away. A socket of another name is not harmless: nothing is known of it. */
export function socketWarnings(grants: readonly PathGrant[], { SSH_AUTH_SOCK }: PathVariables): readonly string[] {
  const agent = SSH_AUTH_SOCK?.startsWith('/') === true ? realPathOf(SSH_AUTH_SOCK) : undefined;
  return grants
    .filter(({ socket }) => socket === true)
    .flatMap(({ path, origin }) => {
      const power = path === agent ? USES_KEYS : powerOf(path);
      return power === undefined ? [] : [`${origin}: WARNING: whoever may connect to ${path} ${power}`];
    });
}

function powerOf(path: string): string | undefined {
  return POWERS.find(([pattern]) => pattern.test(path))?.[1];
}
