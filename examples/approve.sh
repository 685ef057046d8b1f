#!/bin/sh
# approve.sh ADDRESS [NAME] [SECRET-FILE]: shows what wants to leave the sandbox of a toolsrv, and what a rule asks about, and asks on the terminal.
# y: this once; s: whenever the session makes that very call again; else no. NAME is yours, for the log of toolsrv. Ends when the server does.
# With '' for ADDRESS: the same for all sessions of olliesrv, and the questions of agents; what is typed is their answer.
address=$1 name=${2:-$(id -un)} secret=$3 files=bypass
[ -n "$address" ] || files=approvals
observe() {
  if [ -n "$address" ]; then
    ollie-9p -a "$address" -A "$name" -u observer ${secret:+--secret-file "$secret"} "$@"
  else
    ollie-9p "$@"
  fi
}

while request=$(observe read "$files/pending") && [ -n "$request" ]; do
  id=$(printf '%s' "$request" | sed 's/^{"id":"\([^"]*\)".*/\1/')
  printf '%s\n' "$request"
  case $request in
    "{\"id\":\"$id\",\"kind\":\"question\","*) ask='Answer (empty: none): ' ;;
    *) ask='May it run? [y/s/N] ' ;;
  esac
  printf '%s' "$ask" >&2
  read -r reply || reply=
  case $ask$reply in
    'Answer (empty: none): ') answer='"error":"no answer"' ;;
    Answer*) answer="\"answer\":\"$(printf '%s' "$reply" | sed 's/[\\"]/\\&/g; s/	/\\t/g')\"" ;;
    *'] y' | *'] yes') answer='"approved":true' ;;
    *'] s' | *'] session') answer='"approved":true,"scope":"session"' ;;
    *) answer='"error":"not approved"' ;;
  esac
  printf '{"id":"%s",%s}\n' "$id" "$answer" | observe write "$files/resolve"
done
