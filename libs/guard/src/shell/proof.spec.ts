import { Guard } from '../guard.js';
import { PLACE } from '../testing/parse-cases.js';

let guard: Guard;
beforeAll(async () => {
  guard = await Guard.load();
});

/** The commands that are judged otherwise. */
const except = (wanted: string, commands: readonly string[]): readonly string[] =>
  commands.filter((command) => guard.judge(command, PLACE).verdict !== wanted);

const DELETE = 'rm -rf "$D"/*';

describe('a variable that is not empty for sure', () => {
  it('where a test before && says so', () => {
    const tests = ['[ -n "$D" ]', '[[ -n $D ]]', '[[ -n "$D" ]]', 'test -n "$D"', '[ "$D" ]', '[ $D ]', '[ ! -z "$D" ]', '! [ -z "$D" ]'];
    const more = [
      '[ -d "$D" ]',
      '[ "$D" != "" ]',
      '[[ -n ${D} && -d x ]]',
      '[ -n "${D:-}" ]',
      '[ -n "$D" ] 2>/dev/null',
      '{ [ -n "$D" ]; }',
    ];
    expect(
      except(
        'allow',
        [...tests, ...more].map((test) => `${test} && ${DELETE}`),
      ),
    ).toEqual([]);
    expect(
      except('allow', [`[ -n "$D" ] && [ -d /x ] && ${DELETE}`, `a && [ -n "$D" ] && ls && ${DELETE} | cat`, `[ -z "$D" ] || ${DELETE}`]),
    ).toEqual([]);
  });

  it('where a test chooses the branch or goes on with the loop', () => {
    expect(except('allow', [`if [ -n "$D" ]; then ${DELETE}; fi`, `if [ -z "$D" ]; then echo no; else ${DELETE}; fi`])).toEqual([]);
    expect(
      except('allow', [`if [ a ]; then b; elif [ -n "$D" ] && c; then ${DELETE}; fi`, `while [ -n "$D" ]; do ${DELETE}; done`]),
    ).toEqual([]);
    expect(except('allow', [`until [ -z "$D" ]; do ${DELETE}; done`])).toEqual([]);
  });

  it('where the script has ended otherwise', () => {
    expect(except('allow', [`: "\${D:?}"; ${DELETE}`, `: \${D:?not set} && ${DELETE}`, `a && : "\${D:?}" && ${DELETE}`])).toEqual([]);
    expect(
      except('allow', [`[ -z "$D" ] && exit 1; ${DELETE}`, `[ -n "$D" ] || exit; ${DELETE}`, `[ -n "$D" ] && ls || exit 2; ${DELETE}`]),
    ).toEqual([]);
    expect(
      except('allow', [`[ -n "$D" ] || { echo no >&2; exit 1; }; ${DELETE}`, `if [ -z "$D" ]; then echo no; exit 1; fi; ${DELETE}`]),
    ).toEqual([]);
    expect(
      except('allow', [
        `if [ -n "$D" ]; then a; else exit 1; fi; ${DELETE}`,
        `die() { echo "$@"; exit 1; }; [ -n "$D" ] || die no; ${DELETE}`,
      ]),
    ).toEqual([]);
    expect(
      except('allow', [`f() { [ -n "$1" ] || return 1; rm -rf "$1"/*; }; f "$D"`, `if [ -z "$D" ]; then D=/tmp/x; fi; ${DELETE}`]),
    ).toEqual([]);
  });

  it('where it is what mktemp made', () => {
    expect(
      except('allow', [`D=$(mktemp -d); ${DELETE}`, `D="$(mktemp -d -t x.XXXX)" || exit; ls; ${DELETE}`, `D=$(mktemp -d) && ${DELETE}`]),
    ).toEqual([]);
  });

  it('in all that is made of its value', () => {
    expect(except('allow', [`[ -n "$D" ] && E=$D && rm -rf "$E"/*`, `E=$D; [ -n "$E" ] && for f in "$D"/*; do rm -rf "$f"; done`])).toEqual(
      [],
    );
    expect(except('allow', [`D=$(a); [ -n "$D" ] && ${DELETE}`, `if a; then D=; else D=/tmp/x; fi; [ -n "$D" ] && ${DELETE}`])).toEqual([]);
  });
});

describe('a variable that may be empty all the same', () => {
  it('where the test is the other way round, or of another one', () => {
    expect(
      except('deny', [`[ -n "$D" ] || ${DELETE}`, `[ -n "$E" ] && ${DELETE}`, `[ -z "$D" ] && ${DELETE}`, `! [ -n "$D" ] && ${DELETE}`]),
    ).toEqual([]);
    expect(
      except('deny', [`[ -n "$D" ] || [ -n "$E" ] && ${DELETE}`, `[[ -n $D || -n $E ]] && ${DELETE}`, `[ ! -n "$D" ] && ${DELETE}`]),
    ).toEqual([]);
    expect(except('deny', [`if [ -n "$D" ]; then ls; else ${DELETE}; fi`, `until [ -n "$D" ]; do ${DELETE}; done`])).toEqual([]);
  });

  it('where the test is none', () => {
    expect(
      except('deny', [`[ -n $D ] && ${DELETE}`, `[ -d $D ] && ${DELETE}`, `test -n $D && ${DELETE}`, `[ -n "x$D" ] && ${DELETE}`]),
    ).toEqual([]);
    expect(
      except('deny', [`[ -n "$D" ] | cat && ${DELETE}`, `test() { :; }; test -n "$D" && ${DELETE}`, `echo [ -n "$D" ] && ${DELETE}`]),
    ).toEqual([]);
  });

  it('behind what the test was for', () => {
    expect(except('deny', [`[ -n "$D" ] && ls; ${DELETE}`, `[ -n "$D" ]; ${DELETE}`, `if [ -n "$D" ]; then a; fi; ${DELETE}`])).toEqual([]);
    expect(except('deny', [`while [ -n "$D" ]; do a; done; ${DELETE}`, `for i in $x; do [ -n "$D" ] || exit; done; ${DELETE}`])).toEqual(
      [],
    );
    expect(except('deny', [`if a; then : "\${D:?}"; fi; ${DELETE}`, `a && : "\${D:?}"; ${DELETE}`, `(: "\${D:?}"); ${DELETE}`])).toEqual(
      [],
    );
    expect(except('deny', [`f() { [ -n "$D" ] || return; a; }; f; ${DELETE}`, `a && { [ -n "$D" ] || exit; }; ${DELETE}`])).toEqual([]);
  });

  it('where the script goes on', () => {
    expect(
      except('deny', [`[ -n "$D" ] || echo no; ${DELETE}`, `[ -n "$D" ] || (exit 1); ${DELETE}`, `[ -n "$D" ] || return; ${DELETE}`]),
    ).toEqual([]);
    expect(
      except('deny', [
        `[ -n "$D" ] || exit 1 2; ${DELETE}`,
        `[ -n "$D" ] || exit & ${DELETE}`,
        `exit() { :; }; [ -n "$D" ] || exit; ${DELETE}`,
      ]),
    ).toEqual([]);
    expect(
      except('deny', [
        `if [ -z "$D" ]; then b || exit 1; fi; ${DELETE}`,
        `die() { [ a ] && return; exit 1; }; [ -n "$D" ] || die; ${DELETE}`,
      ]),
    ).toEqual([]);
  });

  it('where it gets another value after the test', () => {
    expect(except('deny', [`[ -n "$D" ] && D=$E && ${DELETE}`, `[ -n "$D" ] && D= && ${DELETE}`, `: "\${D:?}"; D=$E; ${DELETE}`])).toEqual(
      [],
    );
    expect(except('deny', [`[ -n "$D" ] && E=$D; rm -rf "$E"/*`, `D=$A$B; [ -n "$D" ] && rm -rf "$A"/*`])).toEqual([]);
  });

  it('where a redirection that fails has the script go on', () => {
    expect(
      except('deny', [
        `[ -z "$D" ] </x || ${DELETE}`,
        `[ -z "$D" ] 2>/x && exit; ${DELETE}`,
        `{ [ -n "$D" ] || exit; } </x; ${DELETE}`,
        `{ [ -z "$D" ]; } >/x || ${DELETE}`,
        `cat < "\${D:?}"; ${DELETE}`,
        `cat <<E\n\${D:?}\nE\n${DELETE}`,
      ]),
    ).toEqual([]);
    expect(
      except('allow', [
        `[ -z "$D" ] 2>/dev/null || ${DELETE}`,
        `[ -n "$D" ] || { echo no; exit 1; } >&2; ${DELETE}`,
        `{ [ -n "$D" ] || exit; } 2>/dev/null; ${DELETE}`,
      ]),
    ).toEqual([]);
  });

  it('in a program of its own, which may have another environment', () => {
    expect(
      except('deny', [
        `[ -n "$D" ] && env -i sh -c '${DELETE}'`,
        `[ -n "$D" ] && env -u D sh -c '${DELETE}'`,
        `[ -n "$D" ] && sudo sh -c '${DELETE}'`,
      ]),
    ).toEqual([]);
    expect(except('allow', [`sh -c '[ -n "$D" ] && ${DELETE}'`])).toEqual([]);
  });

  it('where a pattern may have left nothing of it', () => {
    expect(except('deny', [`[ -n "$D" ] && rm -rf "\${D##*/}"/*`, `[ -n "$D" ] && E=\${D##*/} && rm -rf "$E"/*`])).toEqual([]);
    expect(except('allow', [`[ -n "$D" ] && rm -rf "\${D%/}"/*`])).toEqual([]);
  });

  it('where something known in it is the harm', () => {
    expect(
      except('deny', [`[ -n "$D" ] && rm -rf "$D"/* ~`, `D=/etc; [ -n "$D" ] && ${DELETE}`, `D=\${D:-/}; [ -n "$D" ] && ${DELETE}`]),
    ).toEqual([]);
    expect(except('deny', [`if a; then D=/etc; fi; [ -n "$D" ] && ${DELETE}`])).toEqual([]);
  });
});
