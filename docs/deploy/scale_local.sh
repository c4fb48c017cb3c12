#!/bin/sh
# An example for --scale-hook: it starts and stops whole machines as processes of this one.
#
#     scale_local.sh start REGION FREE_SEATS
#     scale_local.sh drain REGION FREE_SEATS MACHINE
#
# SCALE_FOLDER has a file for each that runs, named by its port, with its process. The settings of
# the cluster are in variables (WYVERN_CLUSTER, WYVERN_SECRET …), which the new ones inherit.
set -eu
folder=${SCALE_FOLDER:-data/scale}
command=${SCALE_COMMAND:-deno task serve}
mkdir -p "$folder"

case $1 in
start)
  port=${SCALE_FIRST_PORT:-9100}
  while [ -e "$folder/$port" ]; do port=$((port + 10)); done
  # shellcheck disable=SC2086
  nohup $command --port "$port" --region "$2" --workers 2 --data "$folder/data-$port" \
    > "$folder/log-$port" 2>&1 < /dev/null &
  echo $! > "$folder/$port"
  ;;
drain)
  port=${4##*:}
  # SIGTERM hands the matches over to the others. A machine that this did not start stays.
  [ -e "$folder/$port" ] || exit 1
  kill -TERM "$(cat "$folder/$port")"
  rm "$folder/$port"
  ;;
esac
