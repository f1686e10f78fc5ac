#!/bin/sh
# Makes the password file from the environment, and becomes the broker.
set -eu
config=${MOSQUITTO_CONFIG:-/mosquitto/config}
passwords=${MOSQUITTO_PASSWORDS:-/mosquitto/data/passwords}

umask 077
{
    echo "server:${MQTT_SERVER_PASSWORD:?}"
    echo "bots:${MQTT_BOTS_PASSWORD:?}"
    echo "dashboard:${MQTT_DASHBOARD_PASSWORD:?}"
    echo "referee:${MQTT_REFEREE_PASSWORD:?}"
} > "$passwords"
mosquitto_passwd -U "$passwords" # from now on the file holds hashes only
# The broker gives up its rights as root before it reads the file.
chown mosquitto "$passwords" 2>/dev/null || true
exec mosquitto -c "$config/mosquitto.conf"
