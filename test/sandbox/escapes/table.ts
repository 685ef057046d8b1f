import { descriptors } from './descriptors.js';
import { files, metadata } from './files.js';
import { ipc } from './ipc.js';
import { kernel } from './kernel.js';
import { links } from './links.js';
import { namespaces } from './namespaces.js';
import { network } from './network.js';
import { proc } from './proc.js';
import { processes } from './processes.js';
import { replacement } from './replacement.js';
import { sockets } from './sockets.js';
import { terminal } from './terminal.js';

export const attempts = [
  ...files,
  ...metadata,
  ...links,
  ...namespaces,
  ...proc,
  ...processes,
  ...ipc,
  ...sockets,
  ...network,
  ...descriptors,
  ...terminal,
  ...replacement,
  ...kernel,
];
