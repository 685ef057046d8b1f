import { introspection } from './introspection.js';
import { MANAGER_PATH } from './object-path.js';
import { sessionManager } from './session-manager.js';

describe('introspection', () => {
  it('says what the manager takes, gives and tells', () => {
    const xml = introspection(MANAGER_PATH, sessionManager) ?? '';
    expect(xml.slice(xml.indexOf('  <interface name="org.ollie'))).toBe(`  <interface name="org.ollie.SessionManager">
    <method name="CreateSession">
      <arg name="cwd" type="s" direction="in"/>
      <arg name="backend" type="s" direction="in"/>
      <arg name="model" type="s" direction="in"/>
      <arg name="agent" type="s" direction="in"/>
      <arg name="remote" type="s" direction="in"/>
      <arg name="id" type="s" direction="out"/>
    </method>
    <method name="Submit">
      <arg name="id" type="s" direction="in"/>
      <arg name="prompt" type="s" direction="in"/>
      <arg name="turn" type="s" direction="out"/>
    </method>
    <method name="SetConfig">
      <arg name="id" type="s" direction="in"/>
      <arg name="key" type="s" direction="in"/>
      <arg name="value" type="s" direction="in"/>
    </method>
    <signal name="SessionCreated">
      <arg name="id" type="s"/>
      <arg name="session" type="o"/>
    </signal>
    <signal name="StateChanged">
      <arg name="id" type="s"/>
      <arg name="agent" type="s"/>
      <arg name="state" type="s"/>
      <arg name="previous" type="s"/>
      <arg name="action" type="s"/>
    </signal>
    <signal name="ChatUpdated">
      <arg name="id" type="s"/>
      <arg name="agent" type="s"/>
      <arg name="offset" type="t"/>
      <arg name="chunk" type="s"/>
    </signal>
  </interface>
</node>
`);
  });

  it.each([
    ['/', 'org'],
    ['/org', 'ollie'],
    ['/org/ollie', 'SessionManager'],
  ])('leads from %s to %s', (path, child) => {
    const xml = introspection(path, sessionManager);
    expect(xml).toContain(`<node name="${child}"/>`);
    expect(xml).not.toContain('CreateSession');
  });

  it.each(['/o', '/org/ollie/SessionManager/x', '/org/ollie/Session', '/x'])('knows nothing of %s', (path) => {
    expect(introspection(path, sessionManager)).toBeUndefined();
  });
});
