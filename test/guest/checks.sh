#!/bin/bash
# checks.sh MOUNTPOINT: does what a shell user does on a mounted namespace, olliesrv's or toolsrv's, and prints a line
# for each thing tried: "ok NAME" or "not ok NAME: why". Ends with 1 if something was not ok.
#
# The server has the scripted backend. Nothing else may use it meanwhile; what is made here is removed again.
# Needs bash, GNU coreutils and grep, git, tar. EXAMPLES names the folder of examples (default: beside, or ../../examples).
mnt=${1:?usage: checks.sh MOUNTPOINT}
here=$(cd "$(dirname "$0")" && pwd)
EXAMPLES=${EXAMPLES:-$here/examples}
[ -d "$EXAMPLES" ] || EXAMPLES=$here/../../examples
LIMIT=${LIMIT:-30}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failures=0
exec 9<> <(:) # never has anything to read
pause() { read -r -t "$1" -u 9 || :; }

# Plain 9P2000 has words for errors; Linux knows only some of them and calls the others 526.
v9fs=$(grep " $mnt 9p " /proc/mounts)
words=
case $v9fs in *,noextend*) words=yes ;; esac

# check NAME FUNCTION: runs it by itself; the first command that fails, or LIMIT seconds, end it.
check() {
  local name=$1 job status end=$((SECONDS + LIMIT))
  rm -f "$tmp/status"
  set -m
  (
    trap 'echo $? >"$tmp/status"' EXIT
    exec 8>"$tmp/trace"
    BASH_XTRACEFD=8
    cd "$mnt"
    set -e -x -o pipefail
    "$2"
  ) >"$tmp/said" 2>&1 </dev/null &
  job=$!
  set +m
  # Not "wait", which a process that cannot be killed would keep waiting for ever.
  until [ -s "$tmp/status" ] || [ $SECONDS -ge $end ]; do pause 0.05; done
  if [ -s "$tmp/status" ]; then
    read -r status <"$tmp/status"
  else
    status="still running after $LIMIT s:$(processes "$job")"
  fi
  kill -KILL -- "-$job" 2>/dev/null
  if [ "$status" = 0 ]; then echo "ok $name"; return; fi
  echo "not ok $name: $status: $(tail -n 5 "$tmp/said" | tr '\n' '|') after $(tail -n 1 "$tmp/trace")"
  failures=$((failures + 1))
}

# processes GROUP: what each process of it is at
processes() {
  local folder facts state group call
  for folder in /proc/[0-9]*; do
    { read -r facts <"$folder/stat" && read -r call <"$folder/wchan"; } 2>/dev/null
    read -r state _ group _ <<<"${facts##*) }"
    [ "$group" != "$1" ] || printf ' %s %s %s %s,' "${folder##*/}" "${facts#* }" "$state" "$call" | cut -c 1-60
  done
}

# same WANTED GOT
same() {
  [ "$1" = "$2" ] || { printf 'wanted <%s> got <%s>\n' "$1" "$2"; return 1; }
}

# within SECONDS COMMAND...: until it succeeds
within() {
  local end=$((SECONDS + $1)); shift
  until "$@"; do [ $SECONDS -le $end ] || { echo "in vain: $*"; return 1; }; pause 0.1; done
}

# refused WORDS SCRIPT: the script must fail, and say these words unless only the server knows them
refused() {
  local said
  if said=$(eval "$2" 2>&1); then echo "was let through: $2"; return 1; fi
  case $said in *"$1"*) return ;; *"Unknown error 526"*) [ -z "$words" ] || return 0 ;; esac
  printf 'wanted <%s> got <%s> from %s\n' "$1" "$said" "$2"
  return 1
}

idle() { grep -qx state=idle "$1/cfg"; }

### Both servers

lists_everything() {
  ls -lR . >"$tmp/list"
  find . >"$tmp/find"
  [ "$(wc -l <"$tmp/find")" -gt 10 ]
  ! grep -F '?' "$tmp/list"
}

tells_true_lengths() {
  find . -type f -size +0 ! -name chat ! -name chat.raw >"$tmp/files"
  xargs wc -c <"$tmp/files" | awk '$2 != "total" { print $1, $2 }' >"$tmp/counted"
  same "$(cat "$tmp/counted")" "$(xargs stat -c '%s %n' <"$tmp/files")"
  [ "$(wc -l <"$tmp/counted")" -gt 1 ]
}

# hashes FILE...: git, which trusts the length that stat tells, must see what cat sees
hashes() {
  local file copies=()
  for file; do
    copies+=("$tmp/copy-${file//\//-}")
    cat "$file" >"${copies[-1]}"
    [ -s "${copies[-1]}" ]
  done
  same "$(git hash-object "${copies[@]}")" "$(git hash-object "$@")"
}

archives() {
  tar -cf - "$@" | tar -xf - -C "$tmp"
  for file in "$@"; do cmp "$file" "$tmp/$file"; done
}

refuses_to_make_files() {
  refused 'Permission denied' 'echo x >made'
  refused 'Permission denied' 'mkdir made'
  refused 'No such file' 'cat made'
  refused 'No such file' 'cd made'
}

free_space_can_be_asked() { [ -n "$words" ] || df . >/dev/null; }

### olliesrv

s=checks-$$
one=session/$s/agent/one
quiet=session/$s/agent/quiet

makes_session() {
  echo "name=$s" >session/new
  [ -d "session/$s" ]
  same "$s" "$(cat "session/$s/name")"
  grep -q "^$s	" session/idx
}

makes_agents() {
  for agent in one two quiet; do echo "name=$agent" >"session/$s/agent/new"; done
  same 'idx new one quiet two' "$(echo $(ls "session/$s/agent"))"
}

reads_name_after_writing() {
  exec 3<>session/new
  printf 'name=%s\n' "$s-rdwr" >&3
  same "$s-rdwr" "$(cat <&3)"
  exec 3>&-
  rmdir "session/$s-rdwr"
}

refuses_name_twice() {
  exec 3<>session/new
  printf 'name=%s\n' "$s" >&3
  refused 'File exists' 'cat <&3'
}

reads_files() {
  same scripted "$(cat backends)"
  same "$(cat help)" "$(dd if=help bs=100 2>/dev/null)"
  same "$(head -c 10 help)" "$(dd if=help bs=1 count=10 2>/dev/null)"
  same "$(cat help | tail -c 20)" "$(tail -c 20 help)"
  same "$(cat help | tail -n 2)" "$(tail -n 2 help)"
  grep -r -l statewait help session/*/ctl help >/dev/null
}

answers_prompt() {
  echo 'say good morning' >"$one/prompt"
  timeout 20 cat "$one/chat" >"$tmp/chat"
  grep -qx '\[scripted\] good morning' "$tmp/chat"
  same "$(cat "$one/chat")" "$(cat "$one/log")"
}

streams_chat_while_it_grows() {
  echo 'run echo early; sleep 1; echo late' >"$one/prompt"
  timeout 20 cat "$one/chat" >"$tmp/chat"
  grep -qx late "$tmp/chat"
  within 5 idle "$one"
}

takes_long_prompt_as_one() {
  local before
  before=$(sed -n s/^turns=//p "$one/stats")
  { printf 'say '; head -c 300000 /dev/zero | tr '\0' x; } >"$tmp/long"
  cp "$tmp/long" "$one/prompt"
  within 20 idle "$one"
  same $((before + 1)) "$(sed -n s/^turns=//p "$one/stats")"
  cat "$one/chat" >"$tmp/chat"
  [ "$(wc -c <"$tmp/chat")" -gt 600000 ]
}

writes_and_appends_to_plan() {
  echo first >"$one/plan"
  echo second >>"$one/plan"
  same "$(printf 'first\nsecond')" "$(cat "$one/plan")"
  echo short >"$one/plan"
  same short "$(cat "$one/plan")"
  : >"$one/plan"
  same '' "$(cat "$one/plan")"
  touch "$one/plan"
}

copies() {
  printf 'a\0b%s' "$(head -c 20000 /dev/zero | tr '\0' y)" >"$tmp/from"
  cp "$tmp/from" "$one/plan"
  cmp "$tmp/from" "$one/plan"
  cp "$one/plan" "$tmp/back"
  cmp "$tmp/from" "$tmp/back"
  dd if="$one/plan" bs=1 skip=1 count=1 2>/dev/null | cmp - <(printf '\0')
  printf Z | dd of="$one/plan" bs=1 seek=2 conv=notrunc 2>/dev/null
  same Z "$(tail -c +3 "$one/plan" | head -c 1)"
  truncate -s 1 "$one/plan"
  same a "$(cat "$one/plan")"
}

hashes_snapshots() {
  printf -- '- [ ] TODO: tidy up\n' >"$one/plan"
  hashes help agents "$one/plan" "$one/log" "$one/stats" "$one/cfg"
}

archives_snapshots() { archives help "$one/plan" "$one/id"; }

follows_log() {
  local agent=session/$s/agent/two
  echo 'say before' >"$agent/prompt"
  within 10 idle "$agent"
  # GNU tail waits for inotify on v9fs, which hears nothing from a server; it looks by itself when the file is its input.
  if [ -n "$v9fs" ]; then
    tail -n +1 -s 0.2 -f <"$agent/log" >"$tmp/followed" 2>"$tmp/complaints" &
  else
    tail -n +1 -s 0.2 -f "$agent/log" >"$tmp/followed" 2>"$tmp/complaints" &
  fi
  within 10 grep -qx '\[scripted\] before' "$tmp/followed"
  echo 'say after' >"$agent/prompt"
  within 10 grep -qx '\[scripted\] after' "$tmp/followed"
  kill %1
  same '' "$(cat "$tmp/complaints")"
  same "$(cat "$agent/log")" "$(cat "$tmp/followed")"
}

answers_commands() {
  exec 3<>"$one/ctl"
  printf 'help\n' >&3
  grep -q '^stop	' <(cat <&3)
  exec 3>&-
  exec 4<>"$one/ctl"
  echo help >&4
  read -r line <&4
  same stop "${line%%	*}"
  echo stop >"$one/ctl"
  timeout 5 cat "$one/ctl" >/dev/null
}

refuses_bad_commands() {
  refused 'Invalid argument' "echo bogus >'$one/ctl'"
  refused 'Invalid argument' "echo bogus >ctl"
  refused 'Invalid argument' "echo colour=red >session/new"
}

keeps_permissions() {
  refused 'Permission denied' "echo x >'$one/id'"
  refused 'Permission denied' "cat '$one/prompt'"
  refused 'Permission denied' "rm -f '$one/id'"
  refused 'Permission denied' "rmdir session"
  refused 'Is a directory' "cat session"
  refused 'Not a directory' "cd '$one/id'"
  refused 'No such file' "echo hi >'session/$s/agent/nobody/prompt'"
}

# ended_by SIGNAL STATUS: a read that blocks ends when its reader gets a signal, and the file is as before
ended_by() {
  local status=0 began=$SECONDS
  timeout -s "$1" 1 cat "$quiet/statewait" >"$tmp/state" || status=$?
  same "$2" "$status"
  same '' "$(cat "$tmp/state")"
  [ $((SECONDS - began)) -lt 8 ]
}
ends_blocked_read_by_int() { ended_by INT 124; }
ends_blocked_read_by_term() { ended_by TERM 124; }
ends_blocked_read_by_kill() { ended_by KILL 137; }

wakes_blocked_read() {
  cat "$quiet/statewait" >"$tmp/state" &
  sleep 1
  same '' "$(cat "$tmp/state")"
  echo 'say hi' >"$quiet/prompt"
  wait $!
  grep -qxE 'running|idle' "$tmp/state"
}

stops_turn() {
  echo 'run sleep 300' >"$one/prompt"
  within 5 grep -qx 'action=calling: shell' "$one/cfg"
  timeout 1 cat "$one/chat" >"$tmp/chat" && return 1
  exec 3<>"$one/ctl"
  echo stop >&3
  same ok "$(cat <&3)"
  within 5 idle "$one"
}

fans_out_and_waits() {
  sh "$EXAMPLES/fan-out.sh" . 'run sleep 0.5; echo fanned'
  sh "$EXAMPLES/wait-all.sh" .
  for agent in session/*/agent/*/; do idle "$agent"; tail -n 1 "$agent/log" | grep -qx fanned; done
}

waits_after_the_end() {
  sh "$EXAMPLES/fan-out.sh" . 'say quick'
  sleep 1
  sh "$EXAMPLES/wait-all.sh" .
}

greps_plans() {
  echo '- [ ] TODO: rest' >"$one/plan"
  same "$one/plan:- [ ] TODO: rest" "$(sh "$EXAMPLES/plans.sh" . | grep "/$s/")"
}

shows_costs() {
  same "$(ls -d session/*/agent/*/ | wc -l)" "$(sh "$EXAMPLES/costs.sh" . | grep -c '^turns=')"
}

strips_markers() {
  sh "$EXAMPLES/plain-chat.sh" . "$quiet" >"$tmp/plain"
  grep -q quick "$tmp/plain"
  ! grep -F '[[[' "$tmp/plain"
}

runs_session_example() {
  sh "$EXAMPLES/session.sh" . "$s-example" 'say done' >"$tmp/example"
  grep -qx '\[scripted\] done' "$tmp/example"
  rmdir "session/$s-example"
}

recipe() { sh "$EXAMPLES/recipes.sh" "$1"; }

mine=session/myproj/agent

runs_typed_recipes() {
  sh "$EXAMPLES/session.sh" . myproj 'say done' >"$tmp/example"
  grep -qx '\[scripted\] done' "$tmp/example"
  echo name=coder >"$mine/new"
  echo 'name=obs agent=observer' >"$mine/new"
  recipe fan-out
  recipe wait-all
  for agent in session/*/agent/*/; do idle "$agent"; grep -qx 'user: run tests' "$agent/chat"; done
  echo '- [ ] TODO: rest' >"$mine/coder/plan"
  same "$mine/coder/plan:- [ ] TODO: rest" "$(recipe plans | grep '/myproj/')"
  same "$(ls -d session/*/agent/*/ | wc -l)" "$(recipe costs | grep -c '^turns=')"
  same "$(cat "$mine/coding/chat")" "$(recipe plain-chat)"
  recipe plain-chat-raw >"$tmp/plain"
  grep -q 'run tests' "$tmp/plain"
  ! grep -F '[[[' "$tmp/plain"
}

# tells_observer NAME COMMAND PROGRAM...: the program tells the observer of two changes, with the command run again and again meanwhile
tells_observer() {
  local change name=$1 command=$2
  shift 2
  git init -q "$tmp/$name"
  cd "$tmp/$name"
  echo a >file
  git add file
  git -c user.name=x -c user.email=x commit -qm x
  OLLIE=$mnt "$@" &
  for change in first second; do
    echo "$name-$change" >>file
    within 20 told "$name-$change" "$command"
  done
}
told() { "$2" && grep -qx "+$1" "$mnt/$mine/obs/chat"; }
has_turn() { echo 'run sleep 0.6' >"$mnt/$mine/coder/prompt"; within 5 idle "$mnt/$mine/coder"; }
feeds_differences() { tells_observer feed-mount true recipe feed-mount; }
feeds_on_turns() { tells_observer observe-mount has_turn recipe observe-mount; }
runs_feed_example() { tells_observer feed-diff true sh "$EXAMPLES/feed-diff.sh" "$mnt" "$mine/obs" 1; }
runs_observe_example() { tells_observer observe has_turn sh "$EXAMPLES/observe.sh" "$mnt" "$mine/coder" "$mine/obs"; }

renames_while_others_read() {
  local i id session
  id=$(cat "$mine/coder/id")
  session=$(cat session/myproj/id)
  exec 3<"$mine/coder/chat"
  while [ ! -e "$tmp/renamed" ]; do
    cat "session/$session/agent/$id/id" >>"$tmp/ids" || echo "$? by id" >>"$tmp/ids"
    cat session/*/agent/*/name >/dev/null 2>>"$tmp/complaints" || :
  done &
  for i in 1 2 3 4 5; do
    mv -T session/myproj session/moved
    mv -T session/moved/agent/coder session/moved/agent/hand
    mv -T session/moved/agent/hand session/moved/agent/coder
    mv -T session/moved session/myproj
  done
  touch "$tmp/renamed"
  wait $!
  same "$id" "$(sort -u "$tmp/ids")"
  same '' "$(grep -vE '(No such file or directory|Stale file handle)$' "$tmp/complaints" || :)"
  cmp <(cat <&3) "$mine/coder/chat"
  rmdir session/myproj
}

kills_by_rmdir() {
  rmdir "$one"
  [ ! -e "$one" ]
  same 'idx new quiet two' "$(echo $(ls "session/$s/agent"))"
  rmdir "session/$s"
  [ ! -e "session/$s" ]
}

check_olliesrv() {
  check 'a session is made by echo' makes_session
  check 'agents are made by echo' makes_agents
  check 'the name can be read after writing on the same descriptor' reads_name_after_writing
  check 'a name that is taken is refused' refuses_name_twice
  check 'cat, dd, head, tail and grep read files' reads_files
  check 'a blocked cat ends at ^C' ends_blocked_read_by_int
  check 'a blocked cat ends at SIGTERM' ends_blocked_read_by_term
  check 'a blocked cat ends at SIGKILL' ends_blocked_read_by_kill
  check 'a blocked cat wakes at a change' wakes_blocked_read
  check 'a prompt is answered in chat and log' answers_prompt
  check 'cat of chat streams until the turn ends' streams_chat_while_it_grows
  check 'a long prompt by cp is one turn' takes_long_prompt_as_one
  check 'echo > and >> write the plan' writes_and_appends_to_plan
  check 'cp, dd and truncate work on the plan' copies
  check 'git hashes what a snapshot says' hashes_snapshots
  check 'tar stores what a snapshot says' archives_snapshots
  check 'tail -f follows the log' follows_log
  check 'ctl answers on the same descriptor' answers_commands
  check 'bad commands are refused' refuses_bad_commands
  check 'permissions hold' keeps_permissions
  check 'a running turn is stopped' stops_turn
  check 'fan-out and wait loop' fans_out_and_waits
  check 'the wait loop ends when all is over already' waits_after_the_end
  check 'grep finds plans' greps_plans
  check 'stats of all agents' shows_costs
  check 'chat.raw without markers' strips_markers
  check 'the session example runs' runs_session_example
  check 'the recipes run as they are typed' runs_typed_recipes
  check 'git diff is fed by the clock' feeds_differences
  check 'git diff is fed when an agent has a turn' feeds_on_turns
  check 'feed-diff.sh feeds an observer' runs_feed_example
  check 'observe.sh feeds an observer' runs_observe_example
  check 'mv renames while others read' renames_while_others_read
  check 'ls -lR and find list everything' lists_everything
  check 'stat tells true lengths' tells_true_lengths
  check 'files cannot be made' refuses_to_make_files
  check 'df answers' free_space_can_be_asked
  check 'rmdir kills agents and sessions' kills_by_rmdir
}

### toolsrv

loads_tool() {
  echo 'load checks shell' >ctl
  exec 3<>tools
  echo checks >&3
  grep -q '"name":"shell"' <(cat <&3)
}

runs_tool() {
  exec 3<>proc/new
  printf 'tool=shell\nagent=checks\ncmd=echo $((6*7))\n' >&3
  grep -q '42\\n' <(cat <&3)
}

waits_for_process() {
  local pid
  exec 3<>proc/new.bg
  printf 'tool=shell\nagent=checks\ncmd=echo begun; sleep 1; exit 3\n' >&3
  pid=$(cat <&3)
  same 3 "$(timeout 20 cat "proc/$pid/wait")"
  same begun "$(cat "proc/$pid/out")"
  echo dismiss >"proc/$pid/ctl"
  [ ! -e "proc/$pid" ]
}

kills_process() {
  local pid
  exec 3<>proc/new.bg
  printf 'tool=shell\nagent=checks\ncmd=sleep 300\n' >&3
  pid=$(cat <&3)
  timeout 1 cat "proc/$pid/wait" && return 1
  refused 'Invalid argument' "echo bogus >proc/$pid/ctl"
  refused 'Device or resource busy' "echo dismiss >proc/$pid/ctl"
  echo kill >"proc/$pid/ctl"
  timeout 20 cat "proc/$pid/wait" >/dev/null
  echo dismiss >"proc/$pid/ctl"
}

describes_host() {
  grep -qx platform=linux info
  hashes info all
  archives all
}

check_toolsrv() {
  check 'a tool is loaded by echo' loads_tool
  check 'a tool runs and answers' runs_tool
  check 'cat waits for a process' waits_for_process
  check 'a process is killed by echo' kills_process
  check 'info and all are files like any other' describes_host
  check 'ls -lR and find list everything' lists_everything
  check 'files cannot be made' refuses_to_make_files
}

if [ -d "$mnt/session" ]; then check_olliesrv; else check_toolsrv; fi
[ "$failures" = 0 ]
