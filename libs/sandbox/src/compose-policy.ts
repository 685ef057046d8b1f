import { agentNames } from './agent-socket.js';
import { candidatesOf, type Circumstances } from './candidate.js';
import { closedBy, closing } from './denied-places.js';
import { grantsOf, summed, toGrant } from './grants.js';
import { implicitRules } from './implicit-rules.js';
import { kernelPlaces, kernelWarnings } from './kernel-places.js';
import { linksTo } from './links-to.js';
import { intersectGrants, intersectSockets } from './intersect.js';
import type { Layers } from './layers.js';
import { nixosRules } from './nixos-rules.js';
import type { ClosedPlace, ExplainedPolicy, PathGrant, PathVariables, PolicySource } from './policy.js';
import type { PathRule, PolicyDocument } from './policy-document.js';
import { refusedWidenings } from './project-layer.js';
import { settingsOf } from './settings.js';
import { socketWarnings } from './socket-warnings.js';
import { withhold } from './withhold.js';

/**
 * One policy from its files: (base + a trusted project) as far as the named one goes, plus what every policy grants, minus
 * what is closed. Throws SandboxConfigError. `own`: what is Ollie's.
 */
export function composePolicy(layers: Layers, variables: PathVariables, own: readonly ClosedPlace[]): ExplainedPolicy {
  const notes: string[] = [];
  const settings = settingsOf(layers, notes);
  const circumstances = { variables, bestEffort: settings.bestEffort, notes, written: [] };
  const widened = withProject(layers, circumstances, own);
  const limited = limitedBy(layers.named, widened, circumstances);
  const implicit = grantsOf([...implicitRules(variables), ...(layers.builtIn ? nixosRules() : [])], circumstances, own);
  const asked = summed([...limited, ...implicit]);
  const uid = process.getuid?.();
  const closed = closing([...kernelPlaces(asked, uid), ...own], closedBy(documentsOf(layers), circumstances));
  const withheld = withhold(asked, closed);
  const grants = summed(withheld.grants);
  notes.push(...withheld.notes, ...socketWarnings(grants, variables), ...kernelWarnings(asked, uid));
  return {
    ...settings,
    env: agentNames(settings, { grants, variables, notes }),
    grants,
    links: linksTo(circumstances.written),
    closed,
    sources: sourcesOf(layers),
    notes: [...new Set(notes)],
  };
}

function withProject(layers: Layers, circumstances: Circumstances, own: readonly ClosedPlace[]): readonly PathGrant[] {
  const { base, project } = layers;
  const added = project?.trusted === true ? rulesOf(project.document) : [];
  const grants = grantsOf([...rulesOf(base), ...added], circumstances, own);
  if (project?.trusted === false) circumstances.notes.push(...refusedWidenings(project.document, grants, circumstances));
  return grants;
}

function rulesOf({ rules, sockets }: PolicyDocument): readonly PathRule[] {
  return [...(rules ?? []), ...(sockets ?? [])];
}

/** A list of paths is a limit; a file without one leaves the paths alone. What it names and does not exist limits all the more. */
function limitedBy(named: PolicyDocument | undefined, grants: readonly PathGrant[], circumstances: Circumstances): readonly PathGrant[] {
  const limitOf = (rules: readonly PathRule[]): readonly PathGrant[] =>
    rules.flatMap((rule) => candidatesOf(rule, { ...circumstances, bestEffort: true })).map(toGrant);
  const within = named?.rules === undefined ? grants : intersectGrants(grants, limitOf(named.rules));
  return named?.sockets === undefined ? within : intersectSockets(within, limitOf(named.sockets));
}

function documentsOf({ base, named, project }: Layers): readonly PolicyDocument[] {
  return [base, ...(named ? [named] : []), ...(project ? [project.document] : [])];
}

function sourcesOf({ base, named, project }: Layers): readonly PolicySource[] {
  return [
    { file: base.file, role: 'base', effect: 'whole' },
    ...(named ? [{ file: named.file, role: 'named', effect: 'narrows' } as const] : []),
    ...(project ? [{ file: project.document.file, role: 'project', effect: project.trusted ? 'trusted' : 'narrows' } as const] : []),
  ];
}
