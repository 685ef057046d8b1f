import { MessageTooLongError } from '#model';
import { standardError } from './bus-call-error.js';
import { type BusInterface, type BusMethod, signaturesOf } from './bus-interface.js';
import type { BusCall, BusReply } from './bus-messages.js';
import { guardedBody } from './guarded-body.js';
import { introspection } from './introspection.js';
import { machineId } from './machine-id.js';
import { MANAGER_PATH } from './object-path.js';

/** As much as a file of the namespace takes. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const INTROSPECTABLE = 'org.freedesktop.DBus.Introspectable';
const PEER = 'org.freedesktop.DBus.Peer';

/** Throws to refuse a caller. */
type Admit = (call: BusCall) => Promise<void>;

/** One interface at one path, with what every object on a bus has. */
export class Dispatch<S> {
  constructor(
    private readonly manager: BusInterface<S>,
    private readonly subject: S,
    private readonly admit: Admit,
  ) {}

  /** Throws BusCallError, or what the method throws. */
  async answer(call: BusCall): Promise<BusReply> {
    const xml = introspection(call.path, this.manager);
    if (xml === undefined) throw standardError('UnknownObject', `no such object: ${call.path}`);
    const fits = (name: string): boolean => call.interface === '' || call.interface === name;
    if (call.path === MANAGER_PATH && fits(this.manager.name)) {
      const method = Object.hasOwn(this.manager.methods, call.member) ? this.manager.methods[call.member] : undefined;
      if (method) return this.run(method, call);
    }
    if (fits(INTROSPECTABLE) && call.member === 'Introspect') return text(xml);
    if (fits(PEER) && call.member === 'Ping') return { signature: '', body: [] };
    if (fits(PEER) && call.member === 'GetMachineId') return text(machineId());
    throw this.unknown(call);
  }

  private async run(method: BusMethod<S>, call: BusCall): Promise<BusReply> {
    const signatures = signaturesOf(method);
    if (!signatures.includes(call.signature))
      throw standardError('InvalidArgs', `${call.member} takes (${signatures.join(') or (')}), not (${call.signature})`);
    const texts = call.body.filter((value) => typeof value === 'string');
    if (texts.some((value) => Buffer.byteLength(value) > MAX_TEXT_BYTES)) throw new MessageTooLongError();
    await this.admit(call);
    const types = Object.values(method.gives);
    return { signature: types.join(''), body: guardedBody(types, await method.run(this.subject, texts)) };
  }

  private unknown({ path, interface: to, member }: BusCall): Error {
    const known = path === MANAGER_PATH ? [this.manager.name, INTROSPECTABLE, PEER] : [INTROSPECTABLE, PEER];
    return to === '' || known.includes(to)
      ? standardError('UnknownMethod', `no such method: ${member}`)
      : standardError('UnknownInterface', `no such interface: ${to}`);
  }
}

function text(value: string): BusReply {
  return { signature: 's', body: [value] };
}
