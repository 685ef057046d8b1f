import type { Arguments, BusInterface } from './bus-interface.js';
import { MANAGER_PATH } from './object-path.js';

const HEADER = `<!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
`;

const STANDARD = `  <interface name="org.freedesktop.DBus.Introspectable">
    <method name="Introspect">
      <arg name="xml_data" type="s" direction="out"/>
    </method>
  </interface>
  <interface name="org.freedesktop.DBus.Peer">
    <method name="Ping"/>
    <method name="GetMachineId">
      <arg name="machine_uuid" type="s" direction="out"/>
    </method>
  </interface>
`;

/** The XML of an object: itself at the manager's path, the way there above it. Undefined where there is nothing. */
export function introspection<S>(path: string, manager: BusInterface<S>): string | undefined {
  if (path === MANAGER_PATH) return node(interfaceXml(manager));
  const above = path === '/' ? '/' : `${path}/`;
  if (!MANAGER_PATH.startsWith(above)) return undefined;
  const [child = ''] = MANAGER_PATH.slice(above.length).split('/');
  return node(`  <node name="${child}"/>\n`);
}

function node(inside: string): string {
  return `${HEADER}<node>\n${STANDARD}${inside}</node>\n`;
}

function interfaceXml<S>({ name, methods, signals }: BusInterface<S>): string {
  const rows = [
    ...Object.entries(methods).map(([member, { takes, gives }]) =>
      element('method', member, argumentsXml(takes, ' direction="in"') + argumentsXml(gives, ' direction="out"')),
    ),
    ...Object.entries(signals).map(([member, carries]) => element('signal', member, argumentsXml(carries, ''))),
  ];
  return `  <interface name="${name}">\n${rows.join('')}  </interface>\n`;
}

function element(kind: 'method' | 'signal', name: string, inside: string): string {
  return `    <${kind} name="${name}">\n${inside}    </${kind}>\n`;
}

function argumentsXml(args: Arguments, direction: string): string {
  return Object.entries(args)
    .map(([name, type]) => `      <arg name="${name}" type="${type}"${direction}/>\n`)
    .join('');
}
