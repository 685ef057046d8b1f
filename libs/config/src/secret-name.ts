/** Names of environment variables that hold secrets by custom: they reach no tool, no file of the namespace and no other program. */
export function isSecretName(name: string): boolean {
  return /(^|_)(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|HEADERS)(_FILE)?$/i.test(name);
}
