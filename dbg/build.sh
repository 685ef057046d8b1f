#!/bin/sh
# Builds the helper next to its sources: native/build/ollie-sandbox, or the file named. CFLAGS adds flags.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/build/ollie-sandbox}
mkdir -p "$(dirname "$out")"
exec "${CC:-cc}" -O2 -Wall -Wextra -Werror -static -s ${CFLAGS:-} "$here"/*.c -o "$out"
