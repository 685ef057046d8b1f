import { FileDeniedError, FileError } from './errors.js';
import { Node } from './node.js';
import { checkRole } from './roles.js';
import type { Access, Awaitable, Call, Client, FileBehaviour, FileFacts, FileHandle, FileSpec } from './types.js';

export class FileNode<S extends object> extends Node<S, FileSpec<S>> {
  readonly isDirectory = false;
  #behaviour: FileBehaviour | undefined;

  get version(): number {
    return this.behaviour.version;
  }

  walk(name: string) {
    if (name === '..') return this.parent;
    throw notADirectory();
  }

  list(): never {
    throw notADirectory();
  }

  stats(): never {
    throw notADirectory();
  }

  open(access: Access, client: Client): Awaitable<FileHandle> {
    this.position.spec.admit?.(client);
    if (access.write || access.truncate) checkRole(client, this.position.spec.writers);
    return this.behaviour.open(access, client);
  }

  truncate(length: number, call: Call): Awaitable<void> {
    const { behaviour } = this;
    this.position.spec.admit?.(call.client);
    checkRole(call.client, this.position.spec.writers);
    if ((this.mode & 0o222) === 0) throw new FileDeniedError();
    if (behaviour.truncate) return behaviour.truncate(length, call);
    if (length !== 0) throw new FileDeniedError();
  }

  protected facts(): Awaitable<FileFacts> {
    return this.behaviour.facts();
  }

  private get behaviour(): FileBehaviour {
    return (this.#behaviour ??= this.identity.behaviour ??= this.position.spec.bind(this.position.subject));
  }
}

function notADirectory(): FileError {
  return new FileError('not a directory', 'ENOTDIR');
}
