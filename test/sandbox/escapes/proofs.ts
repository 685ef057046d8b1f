import { existsSync, statSync } from 'node:fs';
import type { Seen } from './attempt.js';

/** Only the tool can tell that the kernel let it. */
export const itself = ({ answer }: Seen): boolean => answer.reached;

/** It knows the secret, which nobody has told it. */
export const tells = ({ answer, scene }: Seen): boolean => answer.text.includes(scene.secret);

/** It knows what is in the closed directory. */
export const lists = ({ answer }: Seen): boolean => answer.reached && answer.text.includes('secret');

/** The closed file of this name has other content. */
export const changed =
  (name: string) =>
  ({ scene }: Seen): boolean =>
    scene.holds(scene.file(name), 'changed');

/** Something has come into the closed directory of this name. */
export const appeared =
  (name: string) =>
  ({ scene }: Seen): boolean =>
    existsSync(scene.nothing(name));

export const fileIsGone =
  (name: string) =>
  ({ scene }: Seen): boolean =>
    !existsSync(`${scene.world.home}/${name}/secret`);

/** 0 where nothing is. */
export const modeOf = (path: string): number => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o7777;

/** Something of the neighbour's is not as it was. */
export const touched =
  (name: string, untouched: string) =>
  ({ scene }: Seen): boolean =>
    scene.neighbour.became(name) !== untouched;

/** The neighbour got the signal. */
export const signalled =
  (name: string) =>
  ({ scene }: Seen): boolean =>
    scene.neighbour.became('signals').split(' ').includes(name);

/** It was heard at a socket of the neighbour's. */
export const toldNeighbour =
  (text: string) =>
  ({ scene }: Seen): boolean =>
    scene.neighbour.heard.includes(text);

/** It was heard by a server on this machine. */
export const toldNetwork =
  (text: string) =>
  ({ scene }: Seen): boolean =>
    scene.listeners.heard.has(text);
